// OGC API Features: the requirements of its core one by one, coordinate systems, filters, pages and edits.

import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf } from '../portal/on-catalogue.ts';
import { makeLayer, OPEN, onLayers, setPerms } from './layer-kit.ts';

type Link = { href: string; rel: string; type?: string };
type Feature = {
  id: number;
  geometry: { type: string; coordinates: number[] } | null;
  properties: Record<string, unknown>;
};
type Collection = {
  type: string;
  features: Feature[];
  numberMatched: number;
  numberReturned: number;
  timeStamp: string;
  links: Link[];
};

const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';
const EPSG = 'http://www.opengis.net/def/crs/EPSG/0';

onLayers('OGC API Features', {}, (kit) => {
  let secret = 0;
  let shared = 0;

  beforeAll(async () => {
    // Nothing may depend on it.
    const { db } = kit();
    if (db.uri !== undefined)
      await db.script(
        `do $$ begin execute format('alter role survest_authenticator in database %I set timezone to ''Pacific/Auckland''', current_database()); end $$`,
      );
    await makeLayer(kit(), {
      name: 'places',
      title: 'Places of <b>note</b>',
      columns:
        'name text, height integer, share double precision, is_new boolean, since date, seen timestamptz, data jsonb',
      geometry: 'Point',
      hasTime: true,
      rows: `insert into $table (name, height, share, is_new, since, seen, data, geom) values
        ('Köln', 53, 0.25, true, '2001-02-03', '2020-01-02T03:04:05Z', '{"a": [1, "two"]}', st_setsrid(st_makepoint(6.96, 50.94), 4326)),
        ('Null <Island>', -1, -2.5, false, '2010-01-01', '2021-01-01T00:00:00Z', null, st_setsrid(st_makepoint(0, 0), 4326)),
        ('Suva', 10, 3, true, '2015-06-30', '2022-01-01T00:00:00Z', null, st_setsrid(st_makepoint(178.44, -18.14), 4326)),
        ('Apia', 2, 4, true, null, null, null, st_setsrid(st_makepoint(-171.76, -13.83), 4326)),
        (null, null, null, null, null, null, null, null)`,
    });
    await makeLayer(kit(), {
      name: 'areas',
      columns: `name text not null default 'new', size integer generated always as (length(name)) stored`,
      geometry: 'MultiPolygon',
      srid: 25832,
      rows: `insert into $table (name, geom) values
        ('west', st_multi(st_makeenvelope(350000, 5600000, 360000, 5610000, 25832))),
        ('east', st_multi(st_makeenvelope(370000, 5600000, 380000, 5610000, 25832)))`,
    });
    await makeLayer(kit(), {
      name: 'many',
      columns: 'n integer',
      geometry: 'Point',
      rows: `insert into $table (n, geom) select n, st_setsrid(st_makepoint(n % 360 - 180, n % 170 - 85), 4326) from generate_series(1, 2500) n`,
    });
    await makeLayer(kit(), {
      name: 'events',
      columns: 'day date, at timestamptz, wall timestamp',
      geometry: 'Point',
      rows: `insert into $table (day, at, wall, geom) values
        ('2020-01-10', null, null, st_setsrid(st_makepoint(1, 1), 4326)),
        (null, '2020-02-10T23:30:00Z', null, st_setsrid(st_makepoint(2, 1), 4326)),
        (null, null, '2020-03-10 00:30:00', st_setsrid(st_makepoint(3, 1), 4326)),
        ('2019-01-01', '2020-04-10T12:00:00Z', null, st_setsrid(st_makepoint(4, 1), 4326)),
        (null, null, null, st_setsrid(st_makepoint(5, 1), 4326))`,
    });
    await makeLayer(kit(), {
      name: 'moments',
      columns: 'at timestamptz',
      geometry: 'Point',
      rows: `insert into $table (at, geom) values ('2020-02-10T23:30:00Z', st_setsrid(st_makepoint(2, 1), 4326))`,
    });
    secret = await makeLayer(kit(), {
      name: 'secret',
      geometry: 'Point',
      owner: 'bob',
      rows: `insert into $table (geom) values (st_setsrid(st_makepoint(1, 1), 4326))`,
    });
    await setPerms(kit(), secret, {});
    shared = await makeLayer(kit(), {
      name: 'shared',
      columns: 'name text',
      geometry: 'Point',
      owner: 'bob',
      rows: `insert into $table (name, geom) values ('one', st_setsrid(st_makepoint(1, 1), 4326))`,
    });
    await setPerms(kit(), shared, {
      users: { ada: ['view_resourcebase', 'change_layer_data'], mia: ['view_resourcebase'] },
      groups: {},
    });
  });

  const get = (target: string, headers?: Record<string, string>): Promise<Reply> =>
    kit().portal.visitor.get(`/ogc${target}`, headers);
  const items = async (query: string): Promise<Collection> => {
    const reply = await get(`/collections/places/items?${query}`);
    if (reply.status !== 200) throw new Error(`${reply.status} ${textOf(reply.body)}`);
    return bodyOf<Collection>(reply);
  };
  const ids = async (query: string): Promise<number[]> => (await items(query)).features.map(({ id }) => id);

  describe('core', () => {
    test('/req/core/root-op, /req/core/root-success: the landing page links to description, conformance and data', async () => {
      const reply = await get('/', { host: 'maps.example.org' });
      expect(reply).toMatchReply({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
      const { links } = bodyOf<{ links: Link[] }>(reply);
      for (const rel of ['service-desc', 'service-doc', 'conformance', 'data'])
        expect(links.find((link) => link.rel === rel)?.href).toMatch(/^http:\/\/maps\.example\.org\/ogc\//);
      expect(await get('')).toMatchReply({ status: 200 });
    });

    test('/req/core/api-definition-op, /req/core/api-definition-success, /req/oas30/oas-definition-2: the description is valid OpenAPI 3.0', async () => {
      const reply = await get('/api');
      expect(reply.status).toBe(200);
      expect(String((reply.headers as Record<string, string>)['content-type'])).toMatch(/vnd\.oai\.openapi\+json/);
      const checked = await new Validator().validate(bodyOf(reply));
      expect(checked.errors).toBeUndefined();
      expect(checked.valid).toBe(true);
    });

    test('/req/core/conformance-op, /req/core/conformance-success: conformance classes are listed', async () => {
      const { conformsTo } = bodyOf<{ conformsTo: string[] }>(await get('/conformance'));
      expect(conformsTo).toContain('http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core');
      expect(conformsTo).toContain('http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson');
    });

    test('/req/core/http: HEAD answers as GET does, other verbs are refused', async () => {
      expect(await kit().portal.visitor.request('HEAD', '/ogc/collections')).toMatchReply({ status: 200 });
      expect(await kit().portal.visitor.request('DELETE', '/ogc/collections')).toMatchReply({ status: 405 });
    });

    test('/req/core/query-param-unknown: a parameter that is not known is refused', async () => {
      for (const target of [
        '/?x=1',
        '/conformance?x=1',
        '/api?x=1',
        '/collections?x=1',
        '/collections/places?x=1',
        '/collections/places/items?x=1',
        '/collections/places/items/1?x=1',
      ])
        expect([target, (await get(target)).status]).toEqual([target, 400]);
    });

    test('/req/core/query-param-invalid: a parameter with a wrong value is refused', async () => {
      for (const query of [
        'limit=0',
        'limit=x',
        'bbox=1,2,3',
        'datetime=x',
        'bbox=1,2,3,4&bbox-crs=x',
        'crs=EPSG:1',
        'f=pdf',
        'limit=1&limit=2',
      ])
        expect([query, (await get(`/collections/places/items?${query}`)).status]).toEqual([query, 400]);
    });

    test('/req/core/crs84: positions are longitude and latitude, of layers in any system', async () => {
      const reply = await get('/collections/areas/items');
      expect(reply).toMatchReply({ status: 200, headers: { 'content-crs': `<${CRS84}>` } });
      const [first] = bodyOf<Collection>(reply).features;
      const [[[[lon, lat] = []] = []] = []] = (first?.geometry?.coordinates ?? []) as unknown as number[][][][];
      expect(lon).toBeCloseTo(6.88, 1);
      expect(lat).toBeCloseTo(50.5, 1);
    });

    test('/req/core/fc-md-op, /req/core/fc-md-success, /req/core/fc-md-links, /req/core/fc-md-items: every layer is listed with its links', async () => {
      const reply = bodyOf<{ links: Link[]; collections: { id: string; links: Link[] }[] }>(await get('/collections'));
      expect(reply.links.map(({ rel }) => rel)).toEqual(expect.arrayContaining(['self', 'alternate']));
      expect(reply.collections.map(({ id }) => id)).toEqual(['areas', 'events', 'many', 'moments', 'places']);
    });

    test('/req/core/fc-md-items-links: each collection links to its items in every encoding', async () => {
      const { collections } = bodyOf<{ collections: { links: Link[] }[] }>(await get('/collections'));
      for (const { links } of collections)
        expect(links.filter(({ rel }) => rel === 'items').map(({ type }) => type)).toEqual([
          'application/geo+json',
          'text/html',
        ]);
    });

    test('/req/core/fc-md-extent, /req/core/sfc-md-op, /req/core/sfc-md-success: a collection tells its extent', async () => {
      expect(bodyOf(await get('/collections/places'))).toMatchObject({
        id: 'places',
        title: 'Places of <b>note</b>',
        itemType: 'feature',
        extent: {
          spatial: {
            crs: CRS84,
            bbox: [[expect.closeTo(-171.76), expect.closeTo(-18.14), expect.closeTo(178.44), expect.closeTo(50.94)]],
          },
        },
        crs: expect.arrayContaining([CRS84, `${EPSG}/4326`, `${EPSG}/3857`]),
        storageCrs: CRS84,
      });
      expect(bodyOf(await get('/collections/areas'))).toMatchObject({ storageCrs: `${EPSG}/25832` });
    });

    test('/req/core/fc-op, /req/core/fc-response: features come as GeoJSON with their attributes', async () => {
      const reply = await get('/collections/places/items');
      expect(reply).toMatchReply({ status: 200, headers: { 'content-type': 'application/geo+json' } });
      const { type, features } = bodyOf<Collection>(reply);
      expect(type).toBe('FeatureCollection');
      expect(features[0]).toEqual({
        type: 'Feature',
        id: 1,
        geometry: { type: 'Point', coordinates: [6.96, 50.94] },
        properties: {
          name: 'Köln',
          height: 53,
          share: 0.25,
          is_new: true,
          since: '2001-02-03',
          seen: expect.stringMatching(/^2020-01-02T/),
          data: { a: [1, 'two'] },
        },
      });
      expect(features[4]).toMatchObject({ id: 5, geometry: null, properties: { name: null } });
    });

    test('/req/core/fc-limit-definition, /req/core/fc-limit-response-1: no more features than asked for; too large a limit is cut', async () => {
      expect(await ids('limit=2')).toEqual([1, 2]);
      expect((await items('limit=10000000')).numberReturned).toBe(5);
    });

    test('/req/core/fc-bbox-definition, /req/core/fc-bbox-response: only features that touch the box', async () => {
      expect(await ids('bbox=0,0,10,60')).toEqual([1, 2]);
      expect(await ids('bbox=-10,-10,-1000,10,10,1000')).toEqual([2]);
      // Over the edge of the world.
      expect(await ids('bbox=170,-30,-160,0')).toEqual([3, 4]);
      expect(await ids('bbox=170,-30,200,0')).toEqual([3, 4]);
      expect(await ids('bbox=-190,-30,-160,0')).toEqual([3, 4]);
      expect(await ids('bbox=-180,-90,180,90')).toEqual([1, 2, 3, 4]);
      expect(await ids('bbox=-1e300,-1e300,1e300,1e300')).toEqual([1, 2, 3, 4]);
      const areas = bodyOf<Collection>(await get('/collections/areas/items?bbox=6.8,50.4,7.05,50.7'));
      expect(areas.features.map(({ properties }) => properties['name'])).toEqual(['west']);
      for (const box of ['-180,-90,180,90', '-1e300,-1e300,1e300,1e300'])
        expect(bodyOf<Collection>(await get(`/collections/areas/items?bbox=${box}`)).features).toHaveLength(2);
      expect(bodyOf<Collection>(await get('/collections/areas/items?bbox=100,-80,120,-70')).features).toEqual([]);
    });

    test('/req/core/fc-time-definition, /req/core/fc-time-response: only features of the time', async () => {
      expect(await ids('datetime=2001-02-03')).toEqual([1]);
      expect(await ids('datetime=2001-02-03T00:00:00Z')).toEqual([1]);
      expect(await ids('datetime=2005-01-01/..')).toEqual([2, 3]);
      expect(await ids('datetime=../2010-01-01')).toEqual([1, 2]);
      expect(await ids('datetime=2002-01-01/2012-01-01T00:00:00Z')).toEqual([2]);
    });

    test.each([
      ['2020-01-10', [1]],
      ['2020-01-10T15:00:00Z', [1]],
      ['2020-01-10T23:30:00-02:00', []],
      ['2020-01-11T01:30:00%2B02:00', [1]],
      ['2020-02-10', [2]],
      ['2020-02-11', []],
      ['2020-02-11T01:30:00%2B02:00', [2]],
      ['2020-03-10', [3]],
      ['2020-03-09', []],
      ['2020-03-10T00:30:00Z', [3]],
      ['2020-02-01/2020-03-31', [2, 3]],
      ['2020-03-10/..', [3, 4]],
      ['../2019-12-31', [4]],
      ['2021-01-01/', []],
    ])('dates are meant where no column was declared, in UTC, any of several: %s', async (datetime, wanted) => {
      const reply = await get(`/collections/events/items?datetime=${datetime}`);
      expect([reply.status, bodyOf<Collection>(reply).features.map(({ id }) => id)]).toEqual([200, wanted]);
    });

    test.each([
      [`day = DATE('2020-01-10')`, [1]],
      [`day IN (DATE('2020-01-10'), DATE('2020-01-11'))`, [1]],
      [`wall = TIMESTAMP('2020-03-10T00:30:00Z')`, [3]],
      [`at BETWEEN DATE('2020-02-10') AND DATE('2020-02-11')`, [2]],
      [`T_DURING(wall, INTERVAL('2020-03-10T00:00:00Z', '2020-03-10T01:00:00Z'))`, [3]],
      [`T_INTERSECTS(day, INTERVAL('2020-01-10', '2020-01-10'))`, [1]],
    ])('so are those of filters: %s', async (filter, wanted) => {
      const reply = await get(`/collections/events/items?filter=${encodeURIComponent(filter)}`);
      expect([reply.status, bodyOf<Collection>(reply).features.map(({ id }) => id)]).toEqual([200, wanted]);
    });

    test('a time for a layer without dates is refused, with a remedy', async () => {
      const reply = await get('/collections/many/items?datetime=2020-01-01/..');
      expect(reply.status).toBe(400);
      expect(textOf(reply.body)).toContain('no column of dates or times');
      expect(textOf(reply.body)).toContain('filter');
    });

    test('layers that can be asked for a time say so, and which column is meant', async () => {
      const temporal = async (layer: string): Promise<unknown> =>
        bodyOf<{ extent: { temporal?: unknown } }>(await get(`/collections/${layer}`)).extent.temporal;
      expect(await temporal('events')).toMatchObject({ interval: [[null, null]] });
      expect(await temporal('many')).toBeUndefined();
      const schema = async (layer: string): Promise<Record<string, { 'x-ogc-role'?: string }>> =>
        bodyOf<{ properties: Record<string, { 'x-ogc-role'?: string }> }>(await get(`/collections/${layer}/schema`))
          .properties;
      expect((await schema('moments'))['at']?.['x-ogc-role']).toBe('primary-instant');
      expect((await schema('events'))['at']?.['x-ogc-role']).toBeUndefined();
    });

    test('/req/core/fc-links, /req/core/fc-rel-type: an answer links to itself, to its other form and to the next page', async () => {
      const { links } = await items('limit=2');
      expect(links.map(({ rel }) => rel)).toEqual(['self', 'alternate', 'collection', 'next']);
      for (const link of links) expect(link.type).toBeDefined();
      expect((await items('limit=5')).links.map(({ rel }) => rel)).not.toContain('next');
    });

    test('/req/core/fc-timeStamp, /req/core/fc-numberMatched, /req/core/fc-numberReturned: counts and time are right', async () => {
      const page = await items('limit=2&is_new=true');
      expect(page.numberReturned).toBe(2);
      expect(page.numberMatched).toBe(3);
      expect(page.timeStamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    });

    test('/req/core/f-op, /req/core/f-success, /req/core/f-links: one feature has an address of its own', async () => {
      const reply = await get('/collections/places/items/2');
      expect(reply).toMatchReply({ status: 200, headers: { 'content-type': 'application/geo+json' } });
      const feature = bodyOf<Feature & { links: Link[] }>(reply);
      expect(feature).toMatchObject({ id: 2, properties: { name: 'Null <Island>' } });
      expect(feature.links.map(({ rel }) => rel)).toEqual(['self', 'alternate', 'collection']);
      const tag = String((reply.headers as Record<string, string>)['etag']);
      expect(await get('/collections/places/items/2', { 'if-none-match': tag })).toMatchReply({ status: 304 });
      for (const id of ['77', 'x', '1.5', '99999999999999999999', "1'--", '%00'])
        expect([id, (await get(`/collections/places/items/${id}`)).status]).toEqual([id, 404]);
    });

    test('/req/geojson/content: numbers, times, objects and texts stay what they are', async () => {
      const [one] = (await items('limit=1')).features;
      expect(one?.properties['data']).toEqual({ a: [1, 'two'] });
    });

    test('/req/html/definition, /req/html/content: every document is a page, too, and what is in the data is not markup', async () => {
      for (const target of [
        '/',
        '/conformance',
        '/api',
        '/collections',
        '/collections/places',
        '/collections/places/items',
        '/collections/places/items/2',
      ]) {
        const reply = await get(target, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
        expect(reply).toMatchReply({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
        expect(textOf(reply.body)).not.toMatch(/<b>note|<Island>/);
        expect(reply.headers).toHaveProperty('content-security-policy');
      }
      expect(textOf((await get('/collections/places/items?f=html')).body)).toContain('Null &#60;Island&#62;');
      expect(await get('/collections/places', { accept: 'image/png' })).toMatchReply({ status: 406 });
    });
  });

  test('pages together are the layer, each feature once', async () => {
    for (const start of [
      '/ogc/collections/many/items?limit=700',
      '/ogc/collections/many/items?limit=700&sortby=-n',
      '/ogc/collections/many/items?limit=900&offset=1',
    ]) {
      const seen: number[] = [];
      let target: string | undefined = start;
      let pages = 0;
      while (target !== undefined) {
        const page: Collection = bodyOf(await kit().portal.visitor.get(target));
        seen.push(...page.features.map(({ id }) => id));
        const next: string | undefined = page.links.find(({ rel }) => rel === 'next')?.href;
        target = next?.replace(/^http:\/\/[^/]+/, '');
        pages += 1;
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toHaveLength(start.includes('offset') ? 2499 : 2500);
      expect(pages).toBeLessThan(5);
    }
  });

  test('an answer can be in the systems of the layer, axes in their order', async () => {
    const at = async (crs: string): Promise<unknown> => {
      const reply = await get(`/collections/places/items?limit=1&crs=${encodeURIComponent(crs)}`);
      expect(reply).toMatchReply({ status: 200, headers: { 'content-crs': `<${crs}>` } });
      return bodyOf<Collection>(reply).features[0]?.geometry?.coordinates;
    };
    expect(await at(`${EPSG}/4326`)).toEqual([50.94, 6.96]);
    expect(await at(CRS84)).toEqual([6.96, 50.94]);
    expect(await at(`${EPSG}/3857`)).toEqual([expect.closeTo(774783.66, 1), expect.closeTo(6610687.27, 1)]);
    expect(await ids(`bbox=50,6,51,7&bbox-crs=${EPSG}/4326`)).toEqual([1]);
    expect(await ids(`bbox=-1,-1,1,1&bbox-crs=${EPSG}/3857`)).toEqual([2]);
    const areas = bodyOf<Collection>(
      await get(`/collections/areas/items?crs=${EPSG}/25832&bbox=345000,5590000,365000,5620000&bbox-crs=${EPSG}/25832`),
    );
    expect(areas.features).toHaveLength(1);
    const corners = (areas.features[0]?.geometry?.coordinates ?? []) as unknown as number[][][][];
    expect(corners[0]?.[0]?.[0]).toEqual([350000, 5600000]);
    expect(await get(`/collections/places/items?crs=${EPSG}/25832`)).toMatchReply({ status: 400 });
  });

  test('only the properties that are asked for, sorted as asked for, without geometries if wanted', async () => {
    const { features } = await items('properties=name,height&sortby=-height&limit=2');
    expect(features.map(({ properties }) => properties)).toEqual([
      { name: 'Köln', height: 53 },
      { name: 'Suva', height: 10 },
    ]);
    expect((await items('skipGeometry=true&limit=1')).features[0]?.geometry).toBeNull();
    expect(await ids('name=Suva&height=10')).toEqual([3]);
  });

  test.each([
    [`height > 5`, [1, 3]],
    [`height >= 2 and not (name = 'Suva')`, [1, 4]],
    [`name like 'K%'`, [1]],
    [`casei(name) like casei('kÖ%')`, [1]],
    [`name in ('Apia', 'Suva')`, [3, 4]],
    [`height between 0 and 20`, [3, 4]],
    [`name is null`, [5]],
    [`name is not null and share * 2 = 6`, [3]],
    [`height / 4 = 2.5`, [3]],
    [`is_new`, [1, 3, 4]],
    [`is_new = false`, [2]],
    [`height > share`, [1, 2, 3]],
    [`since > date('2005-01-01')`, [2, 3]],
    [`t_after(seen, timestamp('2021-06-01T00:00:00Z'))`, [3]],
    [`t_before(date('2005-01-01'), since)`, [2, 3]],
    [`t_after(date('2005-01-01'), since)`, [1]],
    [`t_intersects(since, interval('2001-01-01', '2010-01-01'))`, [1, 2]],
    [`s_intersects(geom, bbox(-1, -1, 10, 60))`, [1, 2]],
    ['s_intersects(geom, bbox(170, -30, -160, 0))', [3, 4]],
    [`s_within(geom, polygon((5 50, 8 50, 8 52, 5 52, 5 50)))`, [1]],
    [`s_disjoint(geom, polygon((5 50, 8 50, 8 52, 5 52, 5 50)))`, [2, 3, 4]],
    [`fid = 4 or "name" = 'Köln'`, [1, 4]],
    [`name = 'it''s'`, []],
    [`name = ''') or true or ('''`, []],
  ])('filter: %s', async (filter, found) => {
    expect(await ids(`filter=${encodeURIComponent(filter)}`)).toEqual(found);
  });

  test('filters in JSON, and geometries in another system', async () => {
    const filter = {
      op: 'and',
      args: [
        { op: '>', args: [{ property: 'height' }, 5] },
        { op: 's_intersects', args: [{ property: 'geom' }, { bbox: [50, 5, 52, 8] }] },
      ],
    };
    const written = encodeURIComponent(JSON.stringify(filter));
    expect(await ids(`filter=${written}&filter-lang=cql2-json&filter-crs=${EPSG}/4326`)).toEqual([1]);
    expect(await ids(`filter=${written}&filter-lang=cql2-json`)).toEqual([]);
  });

  test.each([
    'nothing = 1',
    'height = ',
    `height = 'tall'`,
    `s_intersects(name, point(1 1))`,
    `s_intersects(geom, point(1 100))`,
    `accenti(name) = 'a'`,
    `name > 5 and`,
    `since > date('2020-02-31')`,
    `height ^ 'x' = 1`,
    `is_new > interval('2020-01-01', '..')`,
    `name + 1 = 2`,
    `${'('.repeat(3000)}1=1${')'.repeat(3000)}`,
    `1 = 1; drop table layers.places`,
  ])('filter %s is refused', async (filter) => {
    const reply = await get(`/collections/places/items?filter=${encodeURIComponent(filter)}`);
    expect([reply.status, textOf(reply.body)]).toEqual([400, expect.stringContaining('detail')]);
  });

  test('queryables and schema tell the properties and their types', async () => {
    const queryables = bodyOf<{ properties: Record<string, unknown> }>(await get('/collections/places/queryables'));
    expect(queryables.properties).toMatchObject({
      fid: { type: 'integer' },
      name: { type: 'string' },
      share: { type: 'number' },
      is_new: { type: 'boolean' },
      since: { type: 'string', format: 'date' },
      geom: { format: 'geometry-point' },
    });
    const schema = bodyOf<{ properties: Record<string, unknown> }>(await get('/collections/areas/schema'));
    expect(schema.properties).toMatchObject({
      fid: { 'x-ogc-role': 'id' },
      geom: { 'x-ogc-role': 'primary-geometry', format: 'geometry-multipolygon' },
      size: { readOnly: true },
    });
  });

  test('OGC API Tiles: sets of tiles, the grid and the tiles themselves', async () => {
    const { tilesets } = bodyOf<{ tilesets: { links: Link[] }[] }>(await get('/collections/places/tiles'));
    expect(tilesets[0]?.links.find(({ rel }) => rel === 'item')?.href).toMatch(
      /\/\{tileMatrix\}\/\{tileRow\}\/\{tileCol\}\?f=mvt$/,
    );
    expect(bodyOf(await get('/collections/places/tiles/WebMercatorQuad'))).toMatchObject({
      dataType: 'vector',
      layers: [{ id: 'places' }],
    });
    const grid = bodyOf<{ tileMatrices: { scaleDenominator: number }[] }>(await get('/tileMatrixSets/WebMercatorQuad'));
    expect(grid.tileMatrices[0]?.scaleDenominator).toBeCloseTo(559082264.028717);
    const tile = await get('/collections/places/tiles/WebMercatorQuad/1/0/1?f=mvt');
    expect(tile).toMatchReply({ status: 200, headers: { 'content-type': 'application/vnd.mapbox-vector-tile' } });
    expect(Buffer.from(tile.body as Uint8Array)).toEqual(
      Buffer.from((await kit().portal.visitor.get('/tiles/places/1/1/0.mvt')).body as Uint8Array),
    );
    expect(await get('/collections/places/tiles/Other/0/0/0')).toMatchReply({ status: 404 });
    expect(await get('/collections/places/tiles/WebMercatorQuad/30/0/0')).toMatchReply({ status: 400 });
  });

  test('what is not shared is not there', async () => {
    for (const path of ['', '/items', '/items/1', '/queryables', '/schema', '/tiles', '/tiles/WebMercatorQuad/0/0/0']) {
      const target = `/ogc/collections/secret${path}`;
      expect([target, (await kit().portal.visitor.get(target)).status]).toEqual([target, 404]);
      expect([target, (await kit().portal.as('bob').get(target)).status]).toEqual([target, 200]);
    }
  });

  test('a permission that is taken away is gone with the next page', async () => {
    expect(await get('/collections/many/items?limit=1')).toMatchReply({ status: 200 });
    const { collections } = bodyOf<{ collections: { id: string }[] }>(await get('/collections'));
    expect(collections.map(({ id }) => id)).toContain('many');
    const [{ id } = { id: 0 }] = await kit().db.query<{ id: number }>(
      `select id from portal.resource where name = 'many'`,
    );
    await setPerms(kit(), id, {});
    expect(await get('/collections/many/items?limit=1')).toMatchReply({ status: 404 });
    expect(textOf((await get('/collections')).body)).not.toContain('"many"');
    await setPerms(kit(), id, OPEN);
  });

  describe('create, replace, update, delete (Part 4)', () => {
    const point = (x: number, y: number): unknown => ({ type: 'Point', coordinates: [x, y] });
    const geo = { 'content-type': 'application/geo+json' };
    const items = '/ogc/collections/shared/items';

    test('who may change the data adds a feature, changes it and deletes it; each shows at once', async () => {
      const ada = kit().portal.as('ada');
      const made = await ada.post(items, { type: 'Feature', geometry: point(2, 3), properties: { name: 'two' } }, geo);
      expect(made).toMatchReply({
        status: 201,
        headers: { location: expect.stringMatching(/\/ogc\/collections\/shared\/items\/\d+$/) },
      });
      const item = headerOf(made, 'location')?.replace(/^https?:\/\/[^/]+/, '') ?? '';
      expect(bodyOf(await ada.get(item))).toMatchObject({
        geometry: { coordinates: [2, 3] },
        properties: { name: 'two' },
      });
      expect((await ada.get('/tiles/shared/0/0/0.mvt')).status).toBe(200);

      expect(
        await ada.patch(item, { properties: { name: 'zwei' } }, { 'content-type': 'application/merge-patch+json' }),
      ).toMatchReply({ status: 204 });
      expect(bodyOf(await ada.get(item))).toMatchObject({
        geometry: { coordinates: [2, 3] },
        properties: { name: 'zwei' },
      });

      expect(await ada.put(item, { type: 'Feature', geometry: point(4, 5), properties: {} }, geo)).toMatchReply({
        status: 204,
      });
      expect(bodyOf(await ada.get(item))).toMatchObject({
        geometry: { coordinates: [4, 5] },
        properties: { name: null },
      });

      expect(await ada.delete(item)).toMatchReply({ status: 204 });
      expect(await ada.get(item)).toMatchReply({ status: 404 });
      expect(await ada.delete(item)).toMatchReply({ status: 404 });
    });

    test('numbers keep all their digits, also in documents and in ids', async () => {
      const id = await makeLayer(kit(), {
        name: 'digits',
        columns: 'big bigint, exact numeric, doc jsonb',
        geometry: 'Point',
        rows: 'alter table $table alter column fid type bigint, alter column fid restart with 9007199254740993',
      });
      onTestFinished(() => kit().db.script(`delete from portal.resource where id = ${id}`));
      await setPerms(kit(), id, OPEN);
      const properties = `"big":9007199254740993,"exact":0.12345678901234567891,"doc":{"n": [12345678901234567890, "9007199254740993"]}`;
      const feature = `{"type":"Feature","geometry":{"type":"Point","coordinates":[1.2345678901234567,2]},"properties":{${properties}}}`;
      const send = (type: string): Promise<Reply> =>
        kit()
          .portal.as('ada')
          .request('POST', '/ogc/collections/digits/items', { body: feature, headers: { 'content-type': type } });
      expect(textOf((await send('application/json')).body)).toBe('{"id":9007199254740993}');
      expect((await send('application/geo+json')).status).toBe(201);
      const row = {
        big: '9007199254740993',
        exact: '0.12345678901234567891',
        doc: '{"n": [12345678901234567890, "9007199254740993"]}',
      };
      expect(await kit().db.query('select big::text, exact::text, doc::text from layers.digits')).toEqual([row, row]);
    });

    test('a change can be bound to the state that its maker has seen', async () => {
      const ada = kit().portal.as('ada');
      const tagOf = async (query = ''): Promise<string> => {
        const reply = await ada.get(`${items}/1${query}`);
        return String((reply.headers as Record<string, string>)['etag']);
      };
      const patch = { properties: { name: 'one' } };
      const seen = await tagOf();
      expect(seen).toMatch(/^"[\w-]{27}"$/);
      expect(await ada.get(`${items}/1`, { 'if-none-match': `"other", W/${seen}` })).toMatchReply({ status: 304 });
      for (const stale of ['"other"', `W/${seen}`, '"', 'nonsense', `"${'x'.repeat(100)}"`, `"' or true --"`]) {
        const refused = await ada.patch(`${items}/1`, patch, { 'if-match': stale });
        expect([stale, refused.status]).toEqual([stale, 412]);
      }
      expect(await ada.delete(`${items}/1`, undefined, { 'if-match': '"other"' })).toMatchReply({ status: 412 });
      expect(await ada.patch(`${items}/1`, { properties: { name: 'uno' } }, { 'if-match': seen })).toMatchReply({
        status: 204,
      });
      // The state that was seen is gone.
      expect(await ada.patch(`${items}/1`, patch, { 'if-match': seen })).toMatchReply({ status: 412 });
      const inMetres = await tagOf(`?crs=${EPSG}/3857`);
      expect(inMetres).not.toBe(await tagOf());
      const metres = { 'if-match': `"other", ${inMetres}`, 'content-crs': `<${EPSG}/3857>` };
      expect(await ada.patch(`${items}/1`, patch, metres)).toMatchReply({ status: 204 });
      expect(await ada.patch(`${items}/1`, patch, { 'if-match': '*' })).toMatchReply({ status: 204 });
      expect(await ada.patch(`${items}/999`, patch, { 'if-match': '*' })).toMatchReply({ status: 404 });
      expect(await kit().portal.as('mia').delete(`${items}/1`, undefined, { 'if-match': seen })).toMatchReply({
        status: 403,
      });
    });

    test('positions can come in another system, and take the form of the column', async () => {
      const owner = kit().portal.as('ada');
      const square = [
        [
          [5600000, 390000],
          [5600000, 391000],
          [5601000, 391000],
          [5600000, 390000],
        ],
      ];
      const sent = {
        type: 'Feature',
        geometry: { type: 'Polygon', coordinates: square.map((ring) => ring.map(([y, x]) => [x, y])) },
        properties: { name: 'small', size: 7 },
      };
      const made = await owner.post('/ogc/collections/areas/items', sent, { ...geo, 'content-crs': `<${EPSG}/25832>` });
      expect(made.status).toBe(201);
      const id = bodyOf<{ id: number }>(made).id;
      const found = await owner.get(`/ogc/collections/areas/items/${id}?crs=${EPSG}/25832`);
      expect(bodyOf(found)).toMatchObject({
        geometry: { type: 'MultiPolygon' },
        properties: { name: 'small', size: 5 },
      });
      const mail = { type: 'Feature', geometry: { type: 'Point', coordinates: [50.5, 7] }, properties: {} };
      expect(
        (await owner.post('/ogc/collections/places/items', mail, { ...geo, 'content-crs': `<${EPSG}/4326>` })).status,
      ).toBe(201);
      const last = bodyOf<Collection>(await owner.get('/ogc/collections/places/items?sortby=-fid&limit=1')).features[0];
      expect(last?.geometry?.coordinates).toEqual([7, 50.5]);
      await owner.delete(`/ogc/collections/areas/items/${id}`);
      await owner.delete(`/ogc/collections/places/items/${last?.id}`);
    });

    test('OPTIONS says what this caller may do, and nothing of what they may not see', async () => {
      for (const [who, ofItems, ofItem] of [
        ['ada', 'GET, HEAD, OPTIONS, POST', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
        ['mia', 'GET, HEAD, OPTIONS', 'GET, HEAD, OPTIONS'],
        ['mel', undefined, undefined],
      ] as const) {
        const client = kit().portal.as(who);
        const expected = (allow: string | undefined): object =>
          allow === undefined ? { status: 404 } : { status: 204, headers: { allow } };
        expect(await client.request('OPTIONS', items)).toMatchReply(expected(ofItems));
        expect(await client.request('OPTIONS', `${items}/1`)).toMatchReply(expected(ofItem));
      }
      const asked = { origin: 'https://maps.example.org', 'access-control-request-method': 'PATCH' };
      expect(await kit().portal.visitor.request('OPTIONS', `${items}/1`, { headers: asked })).toMatchReply({
        status: 204,
        headers: { 'access-control-allow-methods': 'GET, HEAD, OPTIONS, DELETE, PATCH, PUT' },
      });
    });

    test('who may only see is refused; who may not even see finds nothing', async () => {
      const feature = { type: 'Feature', geometry: point(2, 3), properties: { name: 'x' } };
      for (const [who, status] of [
        ['mia', 403],
        ['mel', 404],
      ] as const) {
        const client = kit().portal.as(who);
        expect([who, (await client.post(items, feature, geo)).status]).toEqual([who, status]);
        expect([who, (await client.put(`${items}/1`, feature, geo)).status]).toEqual([who, status]);
        expect([who, (await client.patch(`${items}/1`, { properties: { name: 'x' } })).status]).toEqual([who, status]);
        expect([who, (await client.delete(`${items}/1`)).status]).toEqual([who, status]);
      }
      expect((await kit().portal.visitor.post('/ogc/collections/places/items', feature, geo)).status).toBe(401);
      expect(bodyOf(await kit().portal.as('bob').get(`${items}/1`))).toMatchObject({ properties: { name: 'one' } });
    });

    test.each([
      [{}, 400],
      [null, 400],
      [[], 400],
      ['not json', 400],
      [{ type: 'Feature', geometry: { type: 'Point', coordinates: [1] }, properties: {} }, 400],
      [{ type: 'Feature', geometry: { type: 'Point', coordinates: [1, 100] }, properties: {} }, 400],
      [
        {
          type: 'Feature',
          geometry: {
            type: 'LineString',
            coordinates: [
              [1, 1],
              [2, 2],
            ],
          },
          properties: {},
        },
        400,
      ],
      [{ type: 'Feature', geometry: null, properties: { nothing: 1 } }, 400],
      [{ type: 'Feature', geometry: null, properties: [] }, 400],
      [{ type: 'Feature', properties: {} }, 400],
    ])('%j cannot be a new feature', async (sent, status) => {
      const reply = await kit().portal.as('ada').post(items, sent, geo);
      expect([reply.status, textOf(reply.body)]).toEqual([status, expect.any(String)]);
    });
  });
});
