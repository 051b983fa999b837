// Metadata documents of items: each format is well-formed, says what the item says, and is there for who sees the item.

import { beforeAll, describe, expect, test } from 'vitest';
import { parseXml, type XmlElement } from '../../../src/geo/style/xml-tree.ts';
import { METADATA_FORMATS } from '../../../src/portal/metadata/metadata-formats.ts';
import { type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf, idOf, onCatalogue, scriptAs } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

function treeOf(reply: Reply): XmlElement {
  const parsed = parseXml(textOf(reply.body));
  if (!parsed.ok) throw new Error(`${parsed.error.message} in ${textOf(reply.body)}`);
  return parsed.value;
}

/** Texts of all elements at the end of the path, wherever it begins. */
function textsAt(root: XmlElement, ...path: readonly string[]): string[] {
  const found: string[] = [];
  const visit = (node: XmlElement, trail: readonly string[]): void => {
    const here = [...trail, node.name];
    if (path.every((name, n) => here[here.length - path.length + n] === name)) {
      found.push(node.children.filter((child) => typeof child === 'string').join(''));
    }
    for (const child of node.children) if (typeof child !== 'string') visit(child, here);
  };
  visit(root, []);
  return found;
}

onCatalogue('metadata of items', {}, (portal) => {
  beforeAll(async () => {
    await fillCatalogue(portal());
    await scriptAs(
      portal(),
      'ada',
      `insert into portal.resource (resource_type, title, abstract, purpose, constraints_other, language, edition, attribution, temporal_extent_start, temporal_extent_end, license_id, restriction_code_type_id, maintenance_frequency, ll_bbox_polygon)
         values ('layer', 'A & B < "C"', '<p>Fish &amp; chips ]]> 😀</p>', 'To test', 'Ask <b>us</b>', 'deu', '2nd', 'Ada & Co', '2019-01-01Z', '2019-12-31Z', 6, 4, 'annually', st_makeenvelope(-10.5, -20, 30, 40.25, 4326));
       select portal.set_keywords(id, '{"R&D", water}'), portal.set_regions(id, '{6}') from portal.resource where title like 'A & B%'`,
    );
  });

  const read = async (title: string, ending: string, as: 'ada' | 'bob' | 'visitor' = 'visitor'): Promise<Reply> => {
    const id = await idOf(portal(), title);
    const client = as === 'visitor' ? portal().visitor : portal().as(as);
    return client.get(`/metadata/${id}.${ending}`);
  };

  test('ISO 19139 has title, texts without HTML, dates, keywords, constraints, contacts, extent and period', async () => {
    const reply = await read('A & B < "C"', 'iso19139.xml');
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({ 'content-type': 'text/xml; charset=utf-8' });
    const root = treeOf(reply);
    expect(root.name).toBe('MD_Metadata');
    expect(textsAt(root, 'CI_Citation', 'title', 'CharacterString')).toEqual(['A & B < "C"']);
    expect(textsAt(root, 'abstract', 'CharacterString')).toEqual(['Fish & chips ]]> 😀']);
    expect(textsAt(root, 'otherConstraints', 'CharacterString')).toEqual([
      'Open Database License',
      'https://opendatacommons.org/licenses/odbl/1-0/',
      'Ask us',
    ]);
    expect(textsAt(root, 'keyword', 'CharacterString')).toEqual(['R&D', 'water', 'Europe']);
    expect(textsAt(root, 'westBoundLongitude', 'Decimal')).toEqual(['-10.5']);
    expect(textsAt(root, 'northBoundLatitude', 'Decimal')).toEqual(['40.25']);
    expect(textsAt(root, 'beginPosition')).toEqual(['2019-01-01T00:00:00Z']);
    expect(textsAt(root, 'individualName', 'CharacterString')).toEqual(Array(4).fill('Ada Tester'));
    expect(textsAt(root, 'LanguageCode')).toEqual(['deu', 'deu']);
    expect(textsAt(root, 'MD_MaintenanceFrequencyCode')).toEqual(['annually']);
    expect(textsAt(root, 'accessConstraints', 'MD_RestrictionCode')).toEqual(['otherRestrictions']);
  });

  test.each([
    ['Chatham', '182, -45, 184', ['-178', '-176']],
    ['New Zealand', '166, -47, 184', ['-180', '180']],
  ])('longitudes of %s that run beyond 180 are said inside the world', async (title, corners, sides) => {
    await scriptAs(
      portal(),
      'ada',
      `insert into portal.resource (resource_type, title, ll_bbox_polygon) values ('layer', '${title}', st_makeenvelope(${corners}, -34, 4326))`,
    );
    const iso = treeOf(await read(title, 'iso19139.xml', 'ada'));
    expect([
      ...textsAt(iso, 'westBoundLongitude', 'Decimal'),
      ...textsAt(iso, 'eastBoundLongitude', 'Decimal'),
    ]).toEqual(sides);
    const fgdc = treeOf(await read(title, 'fgdc.xml', 'ada'));
    expect([...textsAt(fgdc, 'westbc'), ...textsAt(fgdc, 'eastbc')]).toEqual(sides);
  });

  test('words of thesauri stand beside the keywords, each with its thesaurus', async () => {
    await portal().db.script(`
      insert into portal.thesaurus (identifier, title) values ('gemet', 'GEMET & more');
      insert into portal.thesaurus_keyword (thesaurus_id, alt_label, uri) values (1, 'Lakes <big>', 'https://example.org/gemet?a&b');
      insert into portal.resource_tkeyword select id, 1 from portal.resource where title = 'Lakes'`);
    const iso = treeOf(await read('Lakes', 'iso19139.xml'));
    expect(textsAt(iso, 'keyword', 'CharacterString')).toEqual(['water', 'Lakes <big>', 'Europe', 'Global']);
    expect(textsAt(iso, 'thesaurusName', 'CI_Citation', 'title', 'CharacterString')).toEqual(['GEMET & more']);
    expect(textsAt(treeOf(await read('Lakes', 'dc.xml')), 'subject')).toEqual(['water', 'Lakes <big>', 'inlandWaters']);
    expect(textsAt(treeOf(await read('Lakes', 'fgdc.xml')), 'themekt')).toEqual([
      'None',
      'GEMET & more',
      'ISO 19115 Topic Category',
    ]);
    expect(treeOf(await read('Lakes', 'atom.xml')).name).toBe('entry');
    expect(bodyOf(await read('Lakes', 'dcat.jsonld'))['dcat:theme']).toContainEqual({
      '@id': 'https://example.org/gemet?a&b',
    });
  });

  test('what nobody has said leaves no element behind', async () => {
    const root = treeOf(await read('Dashboard', 'iso19139.xml'));
    for (const name of [
      'EX_Extent',
      'purpose',
      'MD_Keywords',
      'MD_LegalConstraints',
      'topicCategory',
      'dataQualityInfo',
    ])
      expect(textsAt(root, name)).toEqual([]);
    expect(textsAt(root, 'abstract', 'CharacterString')).toEqual(['']);
  });

  test('Dublin Core has its elements, and the box with latitude first', async () => {
    const root = treeOf(await read('A & B < "C"', 'dc.xml'));
    expect(root.name).toBe('Record');
    expect(textsAt(root, 'Record', 'title')).toEqual(['A & B < "C"']);
    expect(textsAt(root, 'subject')).toEqual(['R&D', 'water']);
    expect(textsAt(root, 'BoundingBox', 'LowerCorner')).toEqual(['-20 -10.5']);
    expect(textsAt(root, 'BoundingBox', 'UpperCorner')).toEqual(['40.25 30']);
    expect(textsAt(root, 'license')).toEqual(['https://opendatacommons.org/licenses/odbl/1-0/']);
  });

  test('FGDC has what the standard wants, said to be unknown where it is', async () => {
    const root = treeOf(await read('A & B < "C"', 'fgdc.xml'));
    expect(root.name).toBe('metadata');
    expect(textsAt(root, 'citeinfo', 'title')).toEqual(['A & B < "C"']);
    expect(textsAt(root, 'rngdates', 'begdate')).toEqual(['20190101']);
    expect(textsAt(root, 'bounding', 'southbc')).toEqual(['-20']);
    expect(textsAt(root, 'themekey')).toEqual(['R&D', 'water']);
    expect(textsAt(root, 'placekey')).toEqual(['Europe']);
    expect(textsAt(root, 'metstdv')).toEqual(['FGDC-STD-001-1998']);
    expect(textsAt(treeOf(await read('Dashboard', 'fgdc.xml')), 'themekey')).toEqual(['Unknown']);
  });

  test('Atom is an entry with id, title, time and author', async () => {
    const reply = await read('A & B < "C"', 'atom.xml');
    expect(reply.headers).toMatchObject({ 'content-type': 'application/atom+xml; charset=utf-8' });
    const root = treeOf(reply);
    expect(root.name).toBe('entry');
    expect(textsAt(root, 'entry', 'id')[0]).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
    expect(textsAt(root, 'author', 'name')).toEqual(['Ada Tester']);
    expect(textsAt(root, 'box')).toEqual(['-20 -10.5 40.25 30']);
  });

  test('DCAT is a dataset in JSON-LD', async () => {
    const reply = await read('A & B < "C"', 'dcat.jsonld');
    expect(reply.headers).toMatchObject({ 'content-type': 'application/ld+json; charset=utf-8' });
    expect(bodyOf(reply)).toMatchObject({
      '@type': 'dcat:Dataset',
      'dct:title': 'A & B < "C"',
      'dcat:keyword': ['R&D', 'water'],
      'dct:license': { '@id': 'https://opendatacommons.org/licenses/odbl/1-0/' },
    });
  });

  describe('who does not see an item is told of none', () => {
    test.each(METADATA_FORMATS)('in $ending', async ({ ending }) => {
      for (const as of ['visitor', 'ada'] as const) expect((await read('Secret mines', ending, as)).status).toBe(404);
      expect((await read('Secret mines', ending, 'bob')).status).toBe(200);
      expect((await read('Shared wells', ending, 'ada')).status).toBe(200);
      for (const title of ['Rivers', 'Rivers and roads', 'Annual report', 'A walk along the river', 'Dashboard'])
        expect((await read(title, ending)).status).toBe(200);
    });
  });

  test('addresses that are none are not found', async () => {
    for (const file of ['1', '1.xml', 'x.dc.xml', '99999999999.dc.xml', '1.dc.xml.xml', '%3Cscript%3E.dc.xml'])
      expect((await portal().visitor.get(`/metadata/${file}`)).status).toBe(404);
  });
});
