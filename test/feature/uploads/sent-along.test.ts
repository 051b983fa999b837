// What is sent along with a file: permissions, a style, a description, the file once more under its own name.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { at, collection, onUploads } from './upload-kit.ts';

const POINTS = collection([{ properties: { n: 1 }, geometry: at(8, 47) }]);

onUploads('an import', {}, (kit) => {
  test.each([
    ['{"users":{"no body":["view_resourcebase"]}}', 'permissions: unknown user "no body".'],
    ['{"groups":{"nobodies":["view_resourcebase"]}}', 'permissions: unknown group "nobodies".'],
  ])('with the permissions %s is refused at once', async (permissions, message) => {
    const before = await kit().stored();
    const reply = await kit().send('ada', [{ name: 'perms.geojson', content: POINTS }], { permissions });
    expect(reply).toMatchReply({ status: 400, json: { success: false, errors: [message] } });
    expect(await kit().stored()).toEqual(before);
  });

  test('is seen by whom its permissions name, and by nobody else', async () => {
    const upload = await kit().import('ada', [{ name: 'private.geojson', content: POINTS }], {
      permissions: '{"users":{"bob":["view_resourcebase"]},"groups":{}}',
    });
    const { portal } = kit();
    const path = `/api/v2/layers/${upload.resource_id}/`;
    expect(await portal.as('bob').get(path)).toMatchReply({ status: 200 });
    expect(await portal.as('ada').get(path)).toMatchReply({ status: 200 });
    expect(await portal.visitor.get(path)).toMatchReply({ status: 404 });
    expect(await portal.as('mia').get(path)).toMatchReply({ status: 404 });
  });

  test('is seen by its sender alone where its permissions name nobody', async () => {
    const upload = await kit().import('ada', [{ name: 'mine.geojson', content: POINTS }], {
      permissions: '{"users":{},"groups":{}}',
    });
    const { portal } = kit();
    const path = `/api/v2/layers/${upload.resource_id}/`;
    expect(await portal.as('ada').get(path)).toMatchReply({ status: 200 });
    expect(await portal.visitor.get(path)).toMatchReply({ status: 404 });
    expect(await portal.as('bob').get(path)).toMatchReply({ status: 404 });
  });

  test.each(['PUT', 'POST'])(
    'is one layer where a file came as base_file and under its own name, by %s',
    async (method) => {
      kit().write(`twice.geojson`, POINTS);
      await kit().gdal('ogr2ogr', '-overwrite', 'twice.shp', 'twice.geojson');
      const parts = ['shp', 'dbf', 'shx', 'prj'].map((part) => {
        return {
          name: `twice.${part}`,
          content: readFileSync(join(kit().folder, `twice.${part}`)),
          field: `${part}_file`,
        };
      });
      const [shp] = parts;
      if (shp === undefined) throw new Error('no .shp');
      const before = (await kit().stored()).length;
      const reply = await kit().send(
        'ada',
        [{ ...shp, field: 'base_file' }, ...parts],
        { dataset_title: 'Twice' },
        undefined,
        method,
      );
      expect(reply).toMatchReply({ status: 201 });
      const upload = await kit().until(JSON.parse(String(reply.body)).upload_id);
      expect(upload).toMatchObject({ state: 'PROCESSED' });
      const layer = await kit().portal.as('ada').get(`/api/v2/layers/${upload.resource_id}/`);
      expect(JSON.parse(String(layer.body)).layer).toMatchObject({ title: 'Twice' });
      // Each file is kept once.
      expect((await kit().stored()).length - before).toBe(4);
    },
  );

  test('brings the style and the description that were sent along', async () => {
    const sld =
      '<StyledLayerDescriptor version="1.0.0"><NamedLayer><Name>mine</Name></NamedLayer></StyledLayerDescriptor>';
    const xml = `<metadata><idinfo><citation><citeinfo><title>Described</title></citeinfo></citation>
      <descript><abstract>By hand</abstract></descript><keywords><theme><themekey>water</themekey></theme></keywords></idinfo></metadata>`;
    const upload = await kit().import('ada', [
      { name: 'styled.geojson', content: POINTS },
      { name: 'styled.sld', content: sld, field: 'sld_file' },
      { name: 'styled.xml', content: xml, field: 'xml_file' },
    ]);
    const reply = await kit().portal.as('ada').get(`/api/v2/layers/${upload.resource_id}/`);
    expect(JSON.parse(String(reply.body)).layer).toMatchObject({
      title: 'Described',
      abstract: 'By hand',
      keywords: [{ name: 'water' }],
      default_style: { name: 'styled', sld_body: sld },
    });
  });

  test('brings category and regions of a description by ISO 19139, and what is no region as a keyword', async () => {
    const words = (type: string, ...all: string[]): string =>
      `<descriptiveKeywords><MD_Keywords>${all.map((word) => `<keyword><CharacterString>${word}</CharacterString></keyword>`).join('')}
        <type><MD_KeywordTypeCode codeListValue="${type}"/></type></MD_Keywords></descriptiveKeywords>`;
    const xml = `<MD_Metadata><identificationInfo><MD_DataIdentification>${words('place', 'germany', 'CHE', 'Narnia')}${words('theme', 'water')}
      <topicCategory><MD_TopicCategoryCode>inlandWaters</MD_TopicCategoryCode></topicCategory>
      </MD_DataIdentification></identificationInfo></MD_Metadata>`;
    const upload = await kit().import('ada', [
      { name: 'placed.geojson', content: POINTS },
      { name: 'placed.xml', content: xml, field: 'xml_file' },
    ]);
    const reply = await kit().portal.as('ada').get(`/api/v2/layers/${upload.resource_id}/`);
    const { category, regions, keywords } = JSON.parse(String(reply.body)).layer;
    expect(category).toEqual({ identifier: 'inlandWaters' });
    expect(regions.map(({ code }: { code: string }) => code).sort()).toEqual(['CHE', 'DEU']);
    expect(keywords.map(({ name }: { name: string }) => name).sort()).toEqual(['Narnia', 'water']);
  });

  test('tells what of the style that was sent along is not drawn as it is written', async () => {
    const rule = (title: string, symbolizer: string): string => `<Rule><Title>${title}</Title>${symbolizer}</Rule>`;
    const style = (rules: string): string =>
      `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>a</Name><UserStyle><FeatureTypeStyle>${rules}</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
    const circle = '<Mark><WellKnownName>circle</WellKnownName></Mark><Size>6</Size>';
    const warnings = async (sld: string): Promise<unknown> => {
      const { import_id, id } = await kit().import('ada', [
        { name: 'styled.geojson', content: POINTS },
        { name: 'styled.sld', content: sld, field: 'sld_file' },
      ]);
      const ada = kit().portal.as('ada');
      const final = JSON.parse(String((await ada.get(`/upload/final?id=${import_id}`)).body));
      const progress = JSON.parse(String((await ada.get(`/upload/progress?id=${import_id}`)).body));
      const { upload } = JSON.parse(String((await ada.get(`/api/v2/uploads/${id}?full=true`)).body));
      expect([progress.warnings, upload.session.warnings]).toEqual([final.warnings, final.warnings]);
      return final.warnings;
    };
    expect(
      await warnings(style(rule('all', `<PointSymbolizer><Graphic>${circle}</Graphic></PointSymbolizer>`))),
    ).toEqual([]);
    const turned = `<PointSymbolizer uom="http://www.opengeospatial.org/se/units/metre"><Graphic>${circle}<Rotation>45</Rotation></Graphic></PointSymbolizer>`;
    expect(await warnings(style(rule('tilted', turned)))).toEqual([
      expect.stringMatching(/^Style: Rule "tilted", PointSymbolizer: sizes in .*metre are drawn as pixels\.$/),
      'Style: Rule "tilted", PointSymbolizer: Graphic/Rotation is not drawn.',
    ]);
    expect(await warnings('<StyledLayerDescriptor><NamedLayer>')).toEqual([
      expect.stringMatching(/^The style is not drawn: /),
    ]);
  });
});
