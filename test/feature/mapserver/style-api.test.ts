// Styles over HTTP: read and replaced in either form, by those who may.

import { beforeAll, describe, expect, test } from 'vitest';
import { headerOf, textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf } from '../portal/on-catalogue.ts';
import { makeLayer, onLayers, setPerms } from './layer-kit.ts';

const SLD = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>towns</Name>
  <UserStyle><Title>By size</Title><FeatureTypeStyle><Rule><Title>large</Title><ogc:Filter><ogc:PropertyIsGreaterThan><ogc:PropertyName>POP</ogc:PropertyName><ogc:Literal>1000</ogc:Literal></ogc:PropertyIsGreaterThan></ogc:Filter>
  <PointSymbolizer><Graphic><Mark><WellKnownName>square</WellKnownName><Fill><CssParameter name="fill">#ff0000</CssParameter></Fill></Mark><Size>10</Size></Graphic></PointSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

type Doc = {
  name: string;
  layers: Record<string, unknown>[];
  metadata: Record<string, unknown>;
  sources: Record<string, unknown>;
};

onLayers('styles', {}, (kit) => {
  let secret = 0;
  beforeAll(async () => {
    await makeLayer(kit(), {
      name: 'towns',
      columns: 'name text, pop integer',
      geometry: 'Point',
      rows: `insert into $table (name, pop, geom) select 'town ' || (i % 3), i, public.st_setsrid(public.st_point(i, i), 4326) from generate_series(1, 40) i`,
    });
    secret = await makeLayer(kit(), { name: 'secret', geometry: 'Point', rows: 'select 1' });
    await setPerms(kit(), secret, {});
  });

  test('an SLD is kept as it was sent, and the answer names what of it is not drawn', async () => {
    const sld = `<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>x</Name><UserStyle><FeatureTypeStyle><Rule><Name>Woods</Name><PolygonSymbolizer><Fill><SvgParameter name="fill">#00ff00</SvgParameter></Fill><VendorOption name="random">grid</VendorOption></PolygonSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
    const [layer] = await kit().db.query<{ name: string }>(
      `select name from portal.resource where resource_type = 'layer' order by id limit 1`,
    );
    const reply = await kit().portal.as('ada').put(`/styles/${layer?.name}/warned.sld`, sld);
    expect(reply.status).toBe(201);
    expect(bodyOf<{ metadata: unknown }>(reply).metadata).toMatchObject({
      'survest:warnings': ['Rule "Woods", PolygonSymbolizer: VendorOption random is not drawn.'],
    });
    expect(textOf((await kit().portal.visitor.get(`/styles/${layer?.name}/warned.sld`)).body)).toBe(sld);
    expect(await kit().portal.as('ada').delete(`/styles/${layer?.name}/warned.sld`)).toMatchReply({ status: 204 });
  });

  test('a layer without a style has the look of its kind', async () => {
    const reply = await kit().portal.visitor.get('/styles/towns/default.json');
    expect(reply.status).toBe(200);
    const doc = bodyOf<Doc>(reply);
    expect(doc.layers).toMatchObject([{ type: 'circle', source: 'towns', 'source-layer': 'towns' }]);
    expect(doc.sources).toMatchObject({ towns: { type: 'vector', url: expect.stringContaining('/tiles/towns.json') } });
    const sld = await kit().portal.visitor.get('/styles/towns/default.sld');
    expect(sld).toMatchReply({ status: 200, headers: { 'content-type': 'application/vnd.ogc.sld+xml' } });
    expect(textOf(sld.body)).toContain('<PointSymbolizer>');
  });

  test('a style whose name another layer has already tells the name that it got', async () => {
    const layers = await kit().db.query<{ name: string }>(
      `select name from portal.resource where resource_type = 'layer' and owner_id = ${kit().portal.ids.ada} order by id limit 2`,
    );
    const [first, second] = layers.map(({ name }) => name);
    const ada = kit().portal.as('ada');
    const put = async (layer: string | undefined): Promise<unknown> => {
      const reply = await ada.put(`/styles/${layer}/shared.sld`, SLD, {
        'content-type': 'application/vnd.ogc.sld+xml',
      });
      expect(reply.status).toBe(201);
      return bodyOf<Doc>(reply).metadata['survest:style'];
    };
    expect(await put(first)).toBe('shared');
    const name = await put(second);
    expect(name).toMatch(/^shared_[0-9a-f]{4}$/);
    expect(await ada.delete(`/styles/${second}/${name}`)).toMatchReply({ status: 204 });
    expect(await ada.delete(`/styles/${first}/shared`)).toMatchReply({ status: 204 });
  });

  describe('a style written as SLD', () => {
    test('is made, becomes the default of a layer without one, and is there as JSON, with the columns of the table', async () => {
      const made = await kit()
        .portal.as('ada')
        .put('/styles/towns/sized.sld', SLD, { 'content-type': 'application/vnd.ogc.sld+xml' });
      expect(made.status).toBe(201);
      expect(bodyOf<Doc>(made).metadata).toMatchObject({ 'survest:style': 'sized', 'survest:default': true });
      const doc = bodyOf<Doc>(await kit().portal.visitor.get('/styles/towns/sized.json'));
      expect(doc.name).toBe('By size');
      expect(doc.layers).toMatchObject([
        {
          type: 'circle',
          filter: ['>', ['get', 'pop'], 1000],
          paint: { 'circle-radius': 5, 'circle-color': '#ff0000' },
          metadata: { 'survest:mark': 'square' },
        },
      ]);
      expect(textOf((await kit().portal.visitor.get('/styles/towns/sized.sld')).body)).toBe(SLD);
    });

    test('is found at the address the catalogue names', async () => {
      const { layers } = bodyOf<{ layers: { default_style: { sld_url: string } }[] }>(
        await kit().portal.visitor.get('/api/v2/layers/?filter{name}=towns'),
      );
      const url = new URL(layers[0]?.default_style.sld_url ?? '');
      expect(textOf((await kit().portal.visitor.get(url.pathname)).body)).toBe(SLD);
    });
  });

  test('a style written as JSON is there as SLD, and what viewers read can be sent back', async () => {
    const ada = kit().portal.as('ada');
    const before = bodyOf<Doc>(await ada.get('/styles/towns/sized.json'));
    const changed = {
      ...before,
      name: 'Blue',
      layers: before.layers.map((layer) => ({ ...layer, paint: { 'circle-color': '#0000ff' } })),
    };
    expect(await ada.put('/styles/towns/sized.json', changed)).toMatchReply({ status: 200 });
    const again = bodyOf<Doc>(await ada.get('/styles/towns/sized.json'));
    expect([again.name, again.layers]).toEqual(['Blue', changed.layers]);
    expect(textOf((await ada.get('/styles/towns/sized.sld')).body)).toContain('#0000ff');
    expect(await ada.put('/styles/towns/other.json', changed.layers.slice(0, 1))).toMatchReply({ status: 201 });
    const { styles } = bodyOf<{ styles: { name: string; default: boolean }[] }>(await ada.get('/styles/towns'));
    expect(styles.map(({ name, default: isDefault }) => [name, isDefault])).toEqual([
      ['sized', true],
      ['other', false],
    ]);
    expect((await ada.put('/styles/towns/other.json?default=true', changed.layers)).status).toBe(200);
    expect(bodyOf<Doc>(await ada.get('/styles/towns/default.json')).metadata['survest:style']).toBe('other');
    expect((await ada.delete('/styles/towns/other')).status).toBe(204);
    expect((await ada.get('/styles/towns/other.json')).status).toBe(404);
  });

  test('a change that is bound to the style it was made from is refused when somebody was quicker', async () => {
    const ada = kit().portal.bearer(await kit().portal.tokenOf('ada'));
    const path = '/styles/towns/bound.json';
    const doc = bodyOf<Doc>(await ada.get('/styles/towns/default.json'));
    expect((await ada.put(path, doc.layers)).status).toBe(201);
    const tag = headerOf(await ada.get(path), 'etag') ?? '';
    const of = (colour: string) => doc.layers.map((layer) => ({ ...layer, paint: { 'circle-color': colour } }));
    expect(await ada.put(path, of('#111111'), { 'if-match': tag })).toMatchReply({ status: 200 });
    expect((await ada.put(path, of('#222222'), { 'if-match': tag })).status).toBe(412);
    const now = await ada.get(path);
    expect(bodyOf<Doc>(now).layers).toEqual(of('#111111'));
    expect((await ada.put(path, of('#333333'), { 'if-match': headerOf(now, 'etag') ?? '' })).status).toBe(200);
    expect((await ada.put(path, doc.layers, { 'if-match': '*' })).status).toBe(200);
    expect((await ada.delete('/styles/towns/bound')).status).toBe(204);
  });

  test('only those who may change it do', async () => {
    const { visitor, as } = kit().portal;
    const body = [{ id: 'a', type: 'circle' }];
    expect((await visitor.put('/styles/towns/sized.json', body)).status).toBe(401);
    expect((await as('bob').put('/styles/towns/sized.json', body)).status).toBe(403);
    expect((await as('bob').put('/styles/towns/mine.json', body)).status).toBe(403);
    expect((await as('bob').delete('/styles/towns/sized')).status).toBe(403);
    expect((await as('bob').get('/styles/secret/default.json')).status).toBe(404);
    expect((await as('bob').put('/styles/secret/default.json', body)).status).toBe(404);
    expect((await as('admin').get('/styles/secret/default.json')).status).toBe(200);
    const [{ id } = { id: 0 }] = await kit().db.query<{ id: number }>(
      "select id from portal.resource where name = 'towns'",
    );
    await setPerms(kit(), id, {
      users: { bob: ['view_resourcebase', 'change_layer_style'] },
      groups: { anonymous: ['view_resourcebase'] },
    });
    expect((await as('bob').put('/styles/towns/sized.json', body)).status).toBe(200);
  });

  test.each([
    ['no JSON', '{', '/styles/towns/sized.json', 'no JSON'],
    ['no style', '5', '/styles/towns/sized.json', 'list of layers'],
    [
      'a colour that is none',
      [{ id: 'a', type: 'fill', paint: { 'fill-color': 'expression(alert(1))' } }],
      '/styles/towns/sized.json',
      'not a color',
    ],
    ['no XML', 'hello', '/styles/towns/sized.sld', 'cannot be read'],
    [
      'an entity bomb',
      '<!DOCTYPE a [<!ENTITY b "bbbb">]><StyledLayerDescriptor>&b;</StyledLayerDescriptor>',
      '/styles/towns/sized.sld',
      'document type',
    ],
    ['a nul', '\u0000', '/styles/towns/sized.sld', 'no SLD'],
    ['a nul in JSON', [{ id: 'a\u0000', type: 'fill' }], '/styles/towns/sized.json', ''],
  ])('%s is refused with its reason', async (_, body, target, said) => {
    const reply = await kit().portal.as('ada').put(target, body);
    expect(reply.status).toBe(400);
    expect(textOf(reply.body)).toContain(said);
  });

  test('a style too large to keep is refused', async () => {
    expect((await kit().portal.as('ada').put('/styles/towns/sized.sld', 'x'.repeat(6_000_000))).status).toBe(413);
  });

  test('a style that follows a column is proposed', async () => {
    const suggest = async (query: string): Promise<Doc> =>
      bodyOf<Doc>(await kit().portal.visitor.get(`/styles/towns/suggestion.json?${query}`));
    const color = (doc: Doc): unknown =>
      (doc.layers[0]?.['paint'] as Record<string, unknown> | undefined)?.['circle-color'];
    expect(color(await suggest('column=name'))).toEqual([
      'case',
      ['has', 'name'],
      ['match', ['get', 'name'], 'town 1', '#1f78b4', 'town 0', '#33a02c', 'town 2', '#e31a1c', '#808080'],
      '#b0b0b0',
    ]);
    expect(color(await suggest('column=pop&classes=4&method=quantile'))).toMatchObject([
      'case',
      ['has', 'pop'],
      [
        'step',
        ['to-number', ['get', 'pop']],
        expect.any(String),
        10.8,
        expect.any(String),
        20.5,
        expect.any(String),
        30.3,
        expect.any(String),
      ],
      '#b0b0b0',
    ]);
    expect(color(await suggest('column=pop&classes=3&method=equal&ramp=reds'))).toMatchObject([
      'case',
      ['has', 'pop'],
      ['step', ['to-number', ['get', 'pop']], expect.any(String), 14, expect.any(String), 27, expect.any(String)],
      '#b0b0b0',
    ]);
    for (const query of ['column=nope', 'column=name&method=equal', 'column=pop&classes=1000', 'column=pop&ramp=x', ''])
      expect((await kit().portal.visitor.get(`/styles/towns/suggestion.json?${query}`)).status).toBe(400);
  });
});
