// The catalogue services: OGC API Records, CSW, STAC, DCAT and the sitemap show every record that the caller sees, and no other.

import { beforeAll, describe, expect, test } from 'vitest';
import { registerSitemap } from '../../../src/portal/discovery/register-sitemap.ts';
import { testNeeding } from '../../testkit/describe-needing.ts';
import { missing, PYTHON } from '../../testkit/machine.ts';
import { type AccountName, onPortal } from '../../testkit/portal-client.ts';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { makeLayer, onLayers, setPerms } from '../mapserver/layer-kit.ts';
import { complaintAbout, type Document } from './answers-by-schema.ts';
import { bodyOf, scriptAs } from './on-catalogue.ts';
import { fillCatalogue, PUBLIC_TITLES } from './world.ts';

const OWSLIB = `
import json, sys
from owslib.csw import CatalogueServiceWeb
from owslib.fes import PropertyIsLike, PropertyIsEqualTo, BBox, And, SortBy, SortProperty
csw = CatalogueServiceWeb(sys.argv[1])
titles = []
start = 0
while True:
    csw.getrecords2(maxrecords=2, startposition=start, esn='full', sortby=SortBy([SortProperty('dc:title', 'ASC')]))
    titles += [record.title for record in csw.records.values()]
    start = csw.results['nextrecord']
    if start == 0:
        break
csw.getrecords2(constraints=[PropertyIsLike('csw:AnyText', '%water%')], esn='brief')
water = sorted(record.title for record in csw.records.values())
csw.getrecords2(constraints=[And([PropertyIsEqualTo('dc:type', 'dataset'), BBox([0, 40, 16, 60])])])
boxed = sorted(record.title for record in csw.records.values())
csw.getrecords2(cql="dc:title like 'Riv%' and BBOX(ows:BoundingBox, 0, 40, 16, 60)")
cql = sorted(record.title for record in csw.records.values())
csw.getrecords2(outputschema='http://www.isotc211.org/2005/gmd', esn='full', maxrecords=50)
iso = sorted(record.identification[0].title if isinstance(record.identification, list) else record.identification.title for record in csw.records.values())
identifier = list(csw.records)[0]
csw.getrecordbyid(id=[identifier])
by_id = list(csw.records)
csw.getdomain('dc:type', 'property')
print(json.dumps({'titles': titles, 'water': water, 'boxed': boxed, 'cql': cql, 'iso': iso, 'same': by_id == [identifier], 'domain': csw.results['values'], 'operations': sorted(o.name for o in csw.operations)}))
`;

type Feature = {
  id: string;
  properties: { title: string };
  assets?: Record<string, { href: string }>;
  links: { rel: string; href: string }[];
};
type Page = { features: Feature[]; links: { rel: string; href: string }[]; numberMatched: number };

const boxFilter = (lower: string, upper: string): string =>
  `<ogc:Filter xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml"><ogc:BBOX><ogc:PropertyName>ows:BoundingBox</ogc:PropertyName><gml:Envelope><gml:lowerCorner>${lower}</gml:lowerCorner><gml:upperCorner>${upper}</gml:upperCorner></gml:Envelope></ogc:BBOX></ogc:Filter>`;

onLayers('catalogue services', {}, (kit) => {
  const portal = () => kit().portal;
  const clientOf = (who: AccountName | 'visitor') => (who === 'visitor' ? portal().visitor : portal().as(who));
  const get = (path: string, who: AccountName | 'visitor' = 'visitor'): Promise<Reply> => clientOf(who).get(path);
  const items = '/records/collections/catalogue/items';

  beforeAll(async () => {
    await fillCatalogue(portal());
    for (const [name, owner] of [
      ['elevation', 'ada'],
      ['hidden_raster', 'bob'],
    ] as const)
      await scriptAs(
        portal(),
        owner,
        `insert into portal.resource (resource_type, title, name, store, store_type, srid, ll_bbox_polygon) values ('layer', '${name}', '${name}', '${name}', 'coverageStore', 'EPSG:25832', st_makeenvelope(1, 2, 3, 4, 4326));
         insert into portal.raster (resource_id, blob, size, width, height, bands) select max(id), 'rasters/aa/${name}', 10, 10, 10, '[{"type": "Byte", "nodata": null}]' from portal.resource`,
      );
    const [hidden] = await kit().db.query<{ id: number }>(
      `select id from portal.resource where title = 'hidden_raster'`,
    );
    await setPerms(kit(), hidden?.id ?? 0, {});
    await makeLayer(kit(), { name: 'points', geometry: 'Point', rows: 'select 1' });
    await scriptAs(
      portal(),
      'ada',
      `select portal.set_keywords(id, '{"Überschwemmung 100%_"}') from portal.resource where title = 'elevation'`,
    );
  });

  /** Follows the links to the next pages. */
  const walk = async (path: string, who: AccountName | 'visitor'): Promise<Feature[]> => {
    const found: Feature[] = [];
    for (let next: string | undefined = path; next !== undefined; ) {
      const page: Page = bodyOf<Page>(await get(next, who));
      found.push(...page.features);
      const link: string | undefined = page.links.find(({ rel }) => rel === 'next')?.href;
      next = link === undefined ? undefined : new URL(link).pathname + new URL(link).search;
    }
    return found;
  };

  const PUBLIC = [...PUBLIC_TITLES, 'elevation', 'points'].sort();
  const SEEN: readonly (readonly [AccountName | 'visitor', readonly string[]])[] = [
    ['visitor', PUBLIC],
    ['bob', [...PUBLIC, 'Secret mines', 'Shared wells', 'hidden_raster'].sort()],
    ['ada', [...PUBLIC, 'Shared wells'].sort()],
    ['mia', PUBLIC],
  ];

  test.each(SEEN)('%s finds every record they see, and no other, by every service', async (who, titles) => {
    const records = await walk(`${items}?limit=3`, who);
    expect(records.map(({ properties }) => properties.title).sort()).toEqual(titles);
    const csw = textOf(
      (
        await get(
          '/csw?service=CSW&version=2.0.2&request=GetRecords&resultType=results&elementSetName=full&maxRecords=100',
          who,
        )
      ).body,
    );
    expect([...csw.matchAll(/<dc:title>([^<]*)</g)].map(([, title]) => title).sort()).toEqual(titles);
    const dcat = bodyOf<{ '@graph': { 'dcat:dataset'?: { 'dct:title': string }[] }[] }>(
      await get('/dcat/catalog.jsonld', who),
    );
    expect(dcat['@graph'][0]?.['dcat:dataset']?.map((one) => one['dct:title']).sort()).toEqual(titles);
    const sitemap = textOf((await get('/sitemap.xml', who)).body);
    expect([...sitemap.matchAll(/<loc>/g)]).toHaveLength(titles.length);
    const rasters = titles.filter((title) => title === 'elevation' || title === 'hidden_raster');
    const stac = await walk('/stac/search?limit=1', who);
    expect(stac.map(({ properties }) => properties.title).sort()).toEqual(rasters);
    // One by one, too: what one caller sees is nothing to another.
    const everything = await walk(`${items}?limit=100`, 'bob');
    for (const { id, properties } of everything) {
      const status = titles.includes(properties.title) ? 200 : 404;
      expect((await get(`${items}/${id}`, who)).status).toBe(status);
      const one = textOf((await get(`/csw?service=CSW&version=2.0.2&request=GetRecordById&id=${id}`, who)).body);
      expect(one.includes('<dc:title>')).toBe(status === 200);
    }
  });

  testNeeding(missing('owslib'), 'OWSLib reads the catalogue: pages, filters, ISO 19139, ids and values', async () => {
    const said = JSON.parse(await kit().run(PYTHON, ['-c', OWSLIB, `${await kit().address()}/csw`])) as Record<
      string,
      unknown
    >;
    expect((said['titles'] as string[]).toSorted()).toEqual(PUBLIC);
    expect(said).toMatchObject({
      water: ['Lakes', 'Rivers'],
      boxed: ['Rivers'],
      cql: ['Rivers'],
      same: true,
      domain: ['dataset', 'document', 'geoapp', 'geostory', 'map'],
      operations: ['DescribeRecord', 'GetCapabilities', 'GetDomain', 'GetRecordById', 'GetRecords'],
    });
    expect(said['iso']).toEqual(PUBLIC);
  });

  describe('OGC API Records', () => {
    test.each([
      ['q=water', ['Lakes', 'Rivers']],
      ['q=water north', ['Rivers']],
      ['bbox=0,40,16,60', ['Rivers']],
      ['bbox=170,-20,-150,20', ['Rivers and roads']],
      ['bbox=190,-20,210,20', ['Rivers and roads']],
      ['bbox=-190,-20,-150,20', ['Rivers and roads']],
      ['type=map', ['Rivers and roads']],
      ['type=map,document', ['Annual report', 'Rivers and roads']],
      ['datetime=2022-01-01', ['Annual report', 'Rivers']],
      ['q=nothing%25', []],
      ['q=RIVERS', ['Annual report', 'Rivers', 'Rivers and roads']],
    ])('%s', async (query, titles) => {
      const found = (await walk(`${items}?${query}`, 'visitor')).map(({ properties }) => properties.title);
      expect(found.filter((title) => title !== 'elevation' && title !== 'points').sort()).toEqual(titles);
    });

    test.each(['überschwemmung', 'ÜBERSCHWEMMUNG 100%_', '0%_', 'ELEVATION', 'Elev'])(
      'the words %s are found in titles and keywords, in any case',
      async (words) => {
        const found = await walk(`${items}?q=${encodeURIComponent(words)}`, 'visitor');
        expect(found.map(({ properties }) => properties.title)).toEqual(['elevation']);
      },
    );

    test.each(["'%ÜBERSCHW%'", "'%100\\%\\_%'", "'eleva%n'", "'%MUNG 1__%'"])(
      'CSW finds the pattern %s in titles and keywords, in any case',
      async (pattern) => {
        const constraint = encodeURIComponent(`csw:AnyText like ${pattern}`);
        const query = `service=CSW&version=2.0.2&request=GetRecords&resultType=results&constraint=${constraint}`;
        const text = textOf((await get(`/csw?${query}`)).body);
        expect([...text.matchAll(/<dc:title>([^<]*)</g)].map(([, title]) => title)).toEqual(['elevation']);
      },
    );

    test.each([
      ['CQL_TEXT', 'BBOX(ows:BoundingBox, 170, -20, -150, 20)'],
      ['CQL_TEXT', 'BBOX(ows:BoundingBox, 190, -20, 210, 20)'],
      ['FILTER', boxFilter('170 -20', '-150 20')],
      ['FILTER', boxFilter('-190 -20', '-150 20')],
    ])('CSW finds by %s what lies across the line of 180 degrees: %s', async (language, constraint) => {
      const query = `service=CSW&version=2.0.2&request=GetRecords&typeNames=csw:Record&resultType=results&constraintLanguage=${language}`;
      const text = textOf((await get(`/csw?${query}&constraint=${encodeURIComponent(constraint)}`)).body);
      expect([...text.matchAll(/<dc:title>([^<]*)</g)].map(([, title]) => title)).toEqual(['Rivers and roads']);
    });

    test('landing page, conformance and collections lead to the records', async () => {
      const landing = bodyOf<{ links: { rel: string; href: string }[] }>(await get('/records'));
      for (const { rel, href } of landing.links) {
        const reply = await get(new URL(href).pathname);
        expect([rel, reply.status]).toEqual([rel, 200]);
      }
      const { collections } = bodyOf<{ collections: { links: { rel: string; href: string }[] }[] }>(
        await get('/records/collections'),
      );
      expect(collections[0]?.links.find(({ rel }) => rel === 'items')?.href).toMatch(
        /\/records\/collections\/catalogue\/items$/,
      );
      // Clients look for all three before they take it for a catalogue.
      const { conformsTo } = bodyOf<{ conformsTo: string[] }>(await get('/records/conformance'));
      for (const part of ['record-core', 'record-collection', 'record-api'])
        expect(conformsTo).toContain(`http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/${part}`);
    });

    test.each(['limit=0', 'bbox=1,2', 'datetime=yesterday', 'offset=-1', 'unknown=1', 'bbox=1,9,2,3'])(
      '%s is refused',
      async (query) => {
        expect(await get(`${items}?${query}`)).toMatchReply({ status: 400 });
      },
    );
  });

  describe('STAC', () => {
    test('a walk from the catalogue reaches every raster and its file', async () => {
      type Links = { type: string; links: { rel: string; href: string }[] };
      const follow = async (href: string): Promise<Links> => bodyOf<Links>(await get(new URL(href).pathname));
      const root = bodyOf<Links>(await get('/stac'));
      const children = root.links.filter(({ rel }) => rel === 'child');
      expect(children).toHaveLength(1);
      const collection = await follow(children[0]?.href ?? '');
      const day = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(collection).toMatchObject({
        type: 'Collection',
        stac_version: '1.0.0',
        id: 'rasters',
        extent: { spatial: { bbox: [[1, 2, 3, 4]] }, temporal: { interval: [[day, day]] } },
      });
      const page = (await follow(collection.links.find(({ rel }) => rel === 'items')?.href ?? '')) as unknown as Page;
      expect(page.features.map(({ properties }) => properties.title)).toEqual(['elevation']);
      const [item] = page.features;
      expect(item).toMatchObject({
        stac_version: '1.0.0',
        bbox: [1, 2, 3, 4],
        collection: 'rasters',
        properties: { 'proj:epsg': 25832 },
      });
      expect(item?.assets?.['data']?.href).toMatch(/\/download\/elevation\.tif$/);
      expect(item?.assets?.['data']).toMatchObject({
        'proj:shape': [expect.any(Number), expect.any(Number)],
        'raster:bands': [{ data_type: expect.stringMatching(/^(u?int|float)\d+$/) }],
      });
      expect(await follow(item?.links.find(({ rel }) => rel === 'self')?.href ?? '')).toEqual(item);
    });

    test('a search by POST is the same as by GET', async () => {
      const { visitor } = portal();
      const search = async (body: unknown): Promise<Reply> => visitor.post('/stac/search', body);
      for (const [body, count] of [
        [{}, 1],
        [{ bbox: [0, 0, 5, 5] }, 1],
        [{ bbox: [50, 50, 55, 55] }, 0],
        [{ collections: ['others'] }, 0],
        [{ collections: ['rasters'], limit: 5 }, 1],
      ] as const)
        expect(bodyOf<Page>(await search(body)).features).toHaveLength(count);
      expect(await search({ query: {} })).toMatchReply({ status: 400 });
      const square = (west: number): unknown => ({
        type: 'Polygon',
        coordinates: [
          [
            [west, 0],
            [west + 5, 0],
            [west + 5, 5],
            [west, 5],
            [west, 0],
          ],
        ],
      });
      for (const [west, count] of [
        [0, 1],
        [50, 0],
      ] as const) {
        const intersects = square(west);
        expect(bodyOf<Page>(await search({ intersects })).features).toHaveLength(count);
        const address = `/stac/search?intersects=${encodeURIComponent(JSON.stringify(intersects))}`;
        expect(bodyOf<Page>(await visitor.get(address)).features).toHaveLength(count);
      }
      for (const refused of [
        { intersects: square(0), bbox: [0, 0, 5, 5] },
        { intersects: { type: 'Circle', coordinates: [0, 0] } },
        { intersects: { type: 'Point', coordinates: [0, 500] } },
        { intersects: '{' },
      ])
        expect(await search(refused)).toMatchReply({ status: 400 });
      expect(await search({ bbox: 'a' })).toMatchReply({ status: 400 });
    });
  });

  test.each([
    ['request=GetRecords&constraint=nothing%20%3D%201', 400],
    ['request=GetRecords&constraint=%3D', 400],
    ['request=GetRecords&constraintLanguage=FILTER&constraint=%3CFilter/%3E', 400],
    ['request=GetRecords&sortBy=colour', 400],
    ['request=GetRecords&startPosition=0', 400],
    ['request=GetRecords&outputSchema=other', 400],
    ['request=GetRecordById', 400],
    ['request=GetRecordById&id=none', 200],
    ['request=Harvest', 501],
    ['', 400],
    ['version=3.0.0&request=GetRecords', 400],
    [`request=GetRecords&constraint=${'('.repeat(3000)}`, 400],
    ['request=GetRecords&typeNames=gmd:MD_Metadata,csw:Record', 200],
    ['request=GetRecords&typeNames=rec:Record&namespace=xmlns(rec=http://www.opengis.net/cat/csw/2.0.2)', 200],
    ['request=GetRecordById&id=none&outputFormat=text/xml', 200],
  ])('CSW %s is answered %i', async (query, status) => {
    const reply = await get(`/csw?service=CSW&${query}`);
    expect(reply.status).toBe(status);
    if (status !== 200) expect(textOf(reply.body)).toContain('<ows:ExceptionReport');
  });

  test.each([
    ['request=GetRecords&typeNames=nonsense', 'typeNames'],
    ['request=GetRecords&typeNames=csw:Record,nonsense', 'typeNames'],
    ['request=GetRecords&outputFormat=text/plain', 'outputFormat'],
    ['request=GetRecords&constraintLanguage=XPATH&constraint=a', 'constraintLanguage'],
    ['request=GetRecords&outputSchema=other', 'outputSchema'],
    ['request=GetRecords&elementSetName=other', 'elementSetName'],
    ['request=GetRecords&elementName=dc:title,dc:colour', 'elementName'],
    ['request=GetRecords&elementName=dc:title&elementSetName=full', 'elementName'],
    ['request=GetRecords&elementName=dc:title&outputSchema=http://www.isotc211.org/2005/gmd', 'elementName'],
    ['request=GetRecords&resultType=validate&elementName=none', 'elementName'],
    ['request=GetRecords&resultType=other', 'resultType'],
    ['request=GetRecords&startPosition=0', 'startPosition'],
    ['request=GetRecords&maxRecords=-1', 'maxRecords'],
    ['request=GetRecords&sortBy=colour', 'sortBy'],
    ['request=GetRecordById&id=none&outputFormat=text/plain', 'outputFormat'],
    ['request=DescribeRecord&typeName=nonsense', 'typeName'],
    ['request=DescribeRecord&schemaLanguage=nonsense', 'schemaLanguage'],
  ])('CSW %s is refused, and %s named', async (query, locator) => {
    const reply = await get(`/csw?service=CSW&version=2.0.2&${query}`);
    expect(reply.status).toBe(400);
    expect(textOf(reply.body)).toContain(`exceptionCode="InvalidParameterValue" locator="${locator}"`);
  });

  test('CSW in XML: type names are looked at, and records of one type described', async () => {
    const post = async (body: string): Promise<string> =>
      textOf((await portal().visitor.post('/csw', body, { 'content-type': 'application/xml' })).body);
    const open = 'xmlns:csw="http://www.opengis.net/cat/csw/2.0.2" service="CSW" version="2.0.2"';
    const records = (types: string): string =>
      `<csw:GetRecords ${open}><csw:Query typeNames="${types}"><csw:ElementSetName>brief</csw:ElementSetName></csw:Query></csw:GetRecords>`;
    expect(await post(records('csw:Record gmd:MD_Metadata'))).toContain('<csw:SearchResults');
    expect(await post(records('csw:Record nonsense'))).toContain('locator="typeNames"');
    const described = await post(
      `<csw:DescribeRecord ${open}><csw:TypeName>gmd:MD_Metadata</csw:TypeName></csw:DescribeRecord>`,
    );
    expect(described).toContain('gmd.xsd');
    expect(described).not.toContain('record.xsd');
  });

  test('CSW answers the elements that were named', async () => {
    const all = 'service=CSW&version=2.0.2&request=GetRecords&typeNames=csw:Record&resultType=results&maxRecords=100';
    const reply = await get(`/csw?${all}&elementName=title,/csw:Record/dct:references,ows:BoundingBox`);
    const records = [...textOf(reply.body).matchAll(/<csw:Record [^>]*>(.*?)<\/csw:Record>/gs)].map(
      ([, one = '']) => one,
    );
    expect(records.length).toBeGreaterThan(0);
    const inside = records.map((one) => one.replace(/<ows:(?:Lower|Upper)Corner>[^<]*<\/ows:\w+>/g, ''));
    expect(new Set(inside.flatMap((one) => [...one.matchAll(/<([\w:]+)/g)].map(([, name]) => name)))).toEqual(
      new Set(['dc:title', 'dct:references', 'ows:BoundingBox']),
    );
    expect(textOf(reply.body)).not.toContain('elementSet=');
    const xml = `<csw:GetRecords xmlns:csw="http://www.opengis.net/cat/csw/2.0.2" service="CSW" version="2.0.2" resultType="results" maxRecords="100"><csw:Query typeNames="csw:Record"><csw:ElementName>dc:title</csw:ElementName><csw:ElementName>dct:references</csw:ElementName><csw:ElementName>ows:BoundingBox</csw:ElementName></csw:Query></csw:GetRecords>`;
    const posted = await portal().visitor.post('/csw', xml, { 'content-type': 'application/xml' });
    expect(textOf(posted.body).replace(/timestamp="[^"]*"/, '')).toBe(
      textOf(reply.body).replace(/timestamp="[^"]*"/, ''),
    );
  });

  test('CSW acknowledges a request that is only to be looked at, and repeats it', async () => {
    const query =
      'service=CSW&version=2.0.2&request=GetRecords&resultType=validate&constraint=AnyText%20like%20%27a%25%27';
    const kvp = textOf((await get(`/csw?${query}`)).body);
    expect(kvp).toMatch(/<csw:Acknowledgement [^>]*timeStamp="\d{4}-[^"]+"/);
    expect(kvp).toContain('/csw?service=CSW&#38;version=2.0.2&#38;request=GetRecords&#38;resultType=validate&#38;');
    expect(kvp).not.toContain('SearchResults');
    const script = '<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>';
    const xml = `<csw:GetRecords xmlns:csw="http://www.opengis.net/cat/csw/2.0.2" service="CSW" version="2.0.2" resultType="validate"><csw:Query typeNames="csw:Record"/>${script}</csw:GetRecords>`;
    const posted = textOf((await portal().visitor.post('/csw', xml, { 'content-type': 'text/plain' })).body);
    expect(posted).toMatch(/<csw:EchoedRequest><ows:Post xlink:href="[^"]*\/csw"\/><\/csw:EchoedRequest>/);
    expect(posted).not.toContain('script');
  });

  test.each([
    ['GetRecords.resultType', ['hits', 'results', 'validate']],
    ['getrecords.TYPENAMES', ['csw:Record', 'gmd:MD_Metadata']],
    ['GetRecords.constructor', []],
  ])('CSW says which values the parameter %s takes', async (name, values) => {
    const text = textOf((await get(`/csw?service=CSW&version=2.0.2&request=GetDomain&parameterName=${name}`)).body);
    expect(text).toContain(`<csw:ParameterName>${name}</csw:ParameterName>`);
    expect([...text.matchAll(/<csw:Value>([^<]*)</g)].map(([, value]) => value)).toEqual(values);
  });

  test.each([
    [
      '/csw',
      '<csw:GetRecords service="CSW" version="2.0.2">',
      'xmlns:ows="http://www.opengis.net/ows" version="1.2.0"',
    ],
    ['/wfs', '<wfs:GetFeature service="WFS" version="1.0.0">', '<ServiceExceptionReport'],
    ['/wfs', '<?xml version="1.0"?><wfs:Transaction service="WFS" version="1.1.0">', 'version="1.0.0"'],
    ['/wfs', '<GetFeature xmlns="http://www.opengis.net/wfs/2.0" service="WFS">', 'ows/1.1" version="2.0.0"'],
    ['/wfs', 'SERVICE=WFS&VERSION=1.0.0&REQUEST=GetFeature&FILTER=', '<ServiceExceptionReport'],
    ['/wcs', '<GetCoverage service="WCS" version="1.0.0">', '<ServiceExceptionReport'],
    [
      '/wcs',
      '<wcs:GetCoverage service="WCS" version="2.0.1">',
      'xmlns:ows="http://www.opengis.net/ows/2.0" version="2.0.1"',
    ],
    ['/wms', 'SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&SLD_BODY=', '<ServiceExceptionReport version="1.1.1">'],
    ['/ows', '<wfs:Transaction service="WFS" version="1.1.0">', 'version="1.0.0"'],
  ])('%s refuses a body that is too long in the words of its version: %s', async (path, head, words) => {
    const body = `${head}${'x'.repeat(8 * 1024 * 1024 + 1)}`;
    const reply = await portal().visitor.post(path, body, { 'content-type': 'text/xml' });
    expect([reply.status, String(headerOf(reply, 'content-type'))]).toEqual([413, expect.stringContaining('xml')]);
    expect(textOf(reply.body)).toContain(words);
    expect(textOf(reply.body)).toMatch(/more than \d+ bytes/);
    expect(headerOf(reply, 'connection')).toBe('close');
  });

  test('the OpenAPI document describes the catalogue services as they answer', async () => {
    const document = bodyOf<Document>(await get('/api/v2/schema/?format=json'));
    const [record] = await walk(`${items}?limit=1&q=elevation`, 'visitor');
    const complaints: string[] = [];
    for (const [path, target] of [
      ['/records', '/records'],
      ['/records/conformance', '/records/conformance'],
      ['/records/collections', '/records/collections'],
      ['/records/collections/{catalogue}', '/records/collections/catalogue'],
      ['/records/collections/{catalogue}', '/records/collections/none'],
      ['/records/collections/{catalogue}/queryables', '/records/collections/catalogue/queryables'],
      ['/records/collections/{catalogue}/queryables', '/records/collections/none/queryables'],
      ['/records/collections/{catalogue}/items', `${items}?limit=100`],
      ['/records/collections/{catalogue}/items', `${items}?limit=0`],
      ['/records/collections/{catalogue}/items/{id}', `${items}/${record?.id}`],
      ['/records/collections/{catalogue}/items/{id}', `${items}/none`],
      ['/stac', '/stac'],
      ['/stac/conformance', '/stac/conformance'],
      ['/stac/collections', '/stac/collections'],
      ['/stac/collections/{collection}', '/stac/collections/rasters'],
      ['/stac/collections/{collection}/items', '/stac/collections/rasters/items'],
      ['/stac/collections/{collection}/items/{id}', `/stac/collections/rasters/items/${record?.id}`],
      ['/stac/search', '/stac/search?limit=1'],
      ['/dcat/catalog.jsonld', '/dcat/catalog.jsonld'],
      ['/dcat/catalog.jsonld', '/dcat/catalog.jsonld?page=0'],
      ['/sitemap.xml', '/sitemap.xml'],
      ['/csw', '/csw?service=CSW&request=GetCapabilities'],
      ['/csw', '/csw?service=CSW&request=None'],
      ['/wcs', '/wcs?service=WCS&request=GetCapabilities'],
      ['/wcs', '/wcs?service=WCS&request=DescribeCoverage'],
    ] as const) {
      const operation = document.paths[path]?.['get'];
      const said = operation === undefined ? 'not described' : complaintAbout(await get(target), operation, document);
      if (said !== undefined) complaints.push(`${target}: ${said}`);
    }
    expect(complaints).toEqual([]);
  });

  test('hits are counted without records', async () => {
    const text = textOf((await get('/csw?service=CSW&version=2.0.2&request=GetRecords&resultType=hits')).body);
    expect(text).toContain(`numberOfRecordsMatched="${PUBLIC.length}" numberOfRecordsReturned="0"`);
  });

  test('robots.txt leads to the sitemap', async () => {
    expect(textOf((await get('/robots.txt')).body)).toMatch(/^Sitemap: http.*\/sitemap\.xml$/m);
    expect(await get('/sitemaps/2.xml')).toMatchReply({ status: 404 });
  });
});

onPortal(
  'a sitemap of more pages than a file may have',
  {
    portal: {
      services: async (app, context) => {
        await app.register(async (scope) => registerSitemap(scope, context, 3), { prefix: '/small' });
      },
    },
  },
  (portal) => {
    test('is a list of files, in which every page stands once', async () => {
      await fillCatalogue(portal());
      const locations = async (path: string): Promise<string[]> => {
        const reply = await portal().visitor.get(path);
        expect([path, reply.status]).toEqual([path, 200]);
        return [...textOf(reply.body).matchAll(/<loc>([^<]*)</g)].map(([, href]) => href ?? '');
      };
      const files = await locations('/small/sitemap.xml');
      expect(files).toHaveLength(Math.ceil(PUBLIC_TITLES.length / 3));
      const pages: string[] = [];
      for (const href of files) {
        const inFile = await locations(`/small${new URL(href).pathname}`);
        expect(inFile.length).toBeLessThanOrEqual(3);
        pages.push(...inFile);
      }
      expect(new Set(pages).size).toBe(PUBLIC_TITLES.length);
      expect(pages).toHaveLength(PUBLIC_TITLES.length);
      expect(await portal().visitor.get(`/small/sitemaps/${files.length + 1}.xml`)).toMatchReply({ status: 404 });
    });
  },
);
