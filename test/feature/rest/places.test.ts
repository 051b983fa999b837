// Places, ranks and distances: PostGIS, full text, trigrams and vectors in the query grammar, and one column against another.

import { beforeAll, describe, expect, test } from 'vitest';
import { REST_FIXTURE, REST_FIXTURE_WITHOUT_POSTGIS } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { ids, useRest } from '../../testkit/use-rest.ts';

/** A grid of points around 7° E, 51° N, a hundredth of a degree apart; one at the antimeridian, one near the pole. */
const WORLD = `
  select set_config('search_path', 'postgis, public', true);
  create table test.spots (
    id integer primary key, point geometry(Point, 4326), flat geometry(Point, 3857), ground geography(Point, 4326), shape geometry,
    low integer, high integer, name text, words tsvector, facts jsonb, hidden geometry(Point, 4326)
  );
  insert into test.spots
    select 100 * x + y, p, st_transform(p, 3857), p::geography, st_setsrid(p, 0), x, y, 'spot ' || x || ' ' || y,
      to_tsvector('english', 'cats ' || repeat('dogs ', x)), jsonb_build_object('n', x), p
    from generate_series(0, 49) as x, generate_series(0, 49) as y, lateral (select st_setsrid(st_point(7 + x / 100.0, 51 + y / 100.0), 4326) as p) as q;
  insert into test.spots (id, point, low, high) values
    (9001, 'SRID=4326;POINT(179.999 0)', 1, 2), (9002, 'SRID=4326;POINT(20 89.9)', 2, 1);
  create index on test.spots using gist (point);
  create index on test.spots using gist (flat);
  create index on test.spots using gist (ground);
  create table test.plots (id integer primary key, area geometry(Polygon, 4326), flat geometry(Polygon, 3857));
  insert into test.plots select 1, p, st_transform(p, 3857) from st_makeenvelope(7, 51, 7.01, 51.01, 4326) as p;
  analyze test.spots;
  grant select (id, point, flat, ground, shape, low, high, name, words, facts) on test.spots to rest_anon;
  grant select on test.plots to rest_anon;
`;

type Node = { readonly Plans?: readonly Node[] } & Record<string, unknown>;

function nodesIn(node: Node): readonly Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesIn)];
}

function rows(reply: Reply): readonly Record<string, unknown>[] {
  return JSON.parse(textOf(reply.body ?? '')) as Record<string, unknown>[];
}

onEachEngine('places and ranks', { fixtures: REST_FIXTURE }, (db) => {
  beforeAll(() => db().script(WORLD));
  const rest = useRest(db, { 'db-plan-enabled': 'true', 'db-aggregates-enabled': 'true' });
  const idsOf = async (query: string): Promise<unknown> => {
    const reply = await rest.get(`/spots?select=id&order=id&${query}`);
    expect(reply).toMatchReply({ status: 200 });
    return rows(reply).map(({ id }) => id);
  };
  const square = encodeURIComponent(
    '{"type":"Polygon","coordinates":[[[6.999,50.999],[7.011,50.999],[7.011,51.011],[6.999,51.011],[6.999,50.999]]]}',
  );
  const INSIDE = [0, 1, 100, 101];

  test.each([
    ['GeoJSON', `point=st_within.${square}`],
    ['GeoJSON on another coordinate system', `flat=st_within.${square}`],
    ['GeoJSON on a geography', `ground=st_intersects.${square}`],
    [
      'WKT in the system of the column',
      'point=st_intersects.POLYGON((6.999 50.999,7.011 50.999,7.011 51.011,6.999 51.011,6.999 50.999))',
    ],
    [
      'WKT that names its system',
      'flat=st_coveredby.SRID=4326;POLYGON((6.999 50.999,7.011 50.999,7.011 51.011,6.999 51.011,6.999 50.999))',
    ],
    [
      'WKT on a column without a system',
      'shape=st_intersects.POLYGON((6.999 50.999,7.011 50.999,7.011 51.011,6.999 51.011,6.999 50.999))',
    ],
    ['a box', 'point=bbox.6.999,50.999,7.011,51.011'],
    ['a box in another system', 'flat=bbox.6.999,50.999,7.011,51.011,4326'],
    ['a box on a geography', 'ground=bbox.6.999,50.999,7.011,51.011'],
    ['a distance in metres, on degrees', 'point=st_dwithin(1400).POINT(7.0 51.0)'],
    ['a distance in metres, on a geography', 'ground=st_dwithin(1400).POINT(7.0 51.0)'],
    ['a group', `and=(point.st_within.${square},not.or(point.st_equals.POINT(1 1),flat.bbox.(1,2,3,4)))`],
    ['a negation', `point=not.st_disjoint.x`, 400],
  ])('%s', async (_what, query, status?: number) => {
    if (status !== undefined) expect(await rest.get(`/spots?${query}`)).toMatchReply({ status });
    else expect(await idsOf(query)).toEqual(INSIDE);
  });

  test('metres are found across the antimeridian and near a pole', async () => {
    expect(await idsOf('point=st_dwithin(1000).POINT(-179.999 0)')).toEqual([9001]);
    expect(await idsOf('point=st_dwithin(30000).POINT(-160 89.9)')).toEqual([9002]);
  });

  test('nearest first, with metres beside', async () => {
    const reply = await rest.get(
      '/spots?select=id,d:point.st_distance(POINT(7.2 51.2)),g:ground.st_distance(POINT(7.2 51.2))&order=point.nearest(POINT(7.196 51.2)),id&limit=2',
    );
    expect(rows(reply).map(({ id }) => id)).toEqual([2020, 1920]);
    for (const { d, g } of rows(reply)) expect(d).toBeCloseTo(Number(g), 6);
    expect(rows(reply)[1]?.['d']).toBeGreaterThan(600);
    const shown = await rest.get('/spots?select=id,d:flat.st_distance(SRID=4326;POINT(7.2 51.2))&order=d,id&limit=1');
    expect(rows(shown)).toEqual([{ id: 2020, d: 0 }]);
  });

  test.each([
    ['order=point.nearest(POINT(7.2 51.2))&limit=3', /spots_point_idx/],
    ['order=ground.nearest(POINT(7.2 51.2))&limit=3', /spots_ground_idx/],
    [`point=st_intersects.${square}`, /spots_point_idx/],
    [`flat=st_within.${square}`, /spots_flat_idx/],
    ['point=st_dwithin(500).POINT(7.2 51.2)', /spots_point_idx/],
    ['ground=st_dwithin(500).POINT(7.2 51.2)', /spots_ground_idx/],
    ['flat=bbox.6.999,50.999,7.011,51.011,4326', /spots_flat_idx/],
  ])('%s: an index answers', async (query, index) => {
    const reply = await rest.get(`/spots?select=id&${query}`, { accept: 'application/vnd.pgrst.plan+json' });
    expect(reply).toMatchReply({ status: 200 });
    const [top] = JSON.parse(textOf(reply.body ?? '')) as [{ readonly Plan: Node }];
    expect(nodesIn(top.Plan).map((node) => node['Index Name'])).toContainEqual(expect.stringMatching(index));
  });

  test('functions of geometries', async () => {
    const reply = await rest.get(
      '/plots?select=g:area::geojson,c:area.st_centroid().st_asgeojson(3),m2:area.st_area(),same:flat.st_transform(4326).st_area(),wkt:area.st_envelope().st_astext(),x:area.st_centroid().st_x(),p:area.st_perimeter()',
    );
    const [row] = rows(reply);
    expect(row).toMatchObject({
      g: { type: 'Polygon' },
      c: { type: 'Point', coordinates: [7.005, 51.005] },
      wkt: 'POLYGON((7 51,7 51.01,7.01 51.01,7.01 51,7 51))',
    });
    expect(row?.['x']).toBeCloseTo(7.005, 9);
    // A hundredth of a degree is 1113 m from south to north, and 702 m from west to east there.
    expect(row?.['m2']).toBeGreaterThan(750_000);
    expect(row?.['m2']).toBeLessThan(800_000);
    expect(Number(row?.['same'])).toBeCloseTo(Number(row?.['m2']), 0);
  });

  test('one column against another', async () => {
    expect(await idsOf('low=gt(col).high&id=gt.9000')).toEqual([9002]);
    expect(await idsOf('low=eq(col).high&id=lt.200')).toEqual([0, 101]);
    expect(await idsOf('or=(low.neq(col).high,low.eq(col).id)&id=in.(0,1)')).toEqual([0, 1]);
    expect(await idsOf('low=not.isdistinct(col).high&id=gt.9000')).toEqual([]);
    expect(await rest.get('/spots?low=gt(col).nothing')).toMatchReply({
      json: expect.objectContaining({ code: '42703' }),
    });
    // Text that looks like it is text.
    expect(await rest.get('/spots?select=id&name=eq.col(id)')).toMatchReply({ json: [] });
  });

  test('ranks and headlines', async () => {
    expect(
      await rest.get('/spots?select=id&words=wfts(english).dog&order=words.ts_rank(dog,english).desc,id&limit=1'),
    ).toMatchReply({ json: ids(4900) });
    expect(await rest.get('/spots?select=h:name.ts_headline("spot -nothing",english)&id=eq.101')).toMatchReply({
      json: [{ h: '<b>spot</b> 1 1' }],
    });
    expect(await rest.get('/spots?select=id&order=name.ts_rank_cd(7).desc.nullslast,id&limit=1')).toMatchReply({
      json: ids(707),
    });
  });

  test.each([
    'point=st_within.',
    'point=st_dwithin.POINT(1 1)',
    'point=st_dwithin(-5).POINT(1 1)',
    'point=st_dwithin(1;2).POINT(1 1)',
    'point=bbox.1,2,3',
    'point=bbox.1,2,3,x',
    'point=bbox.1,2,3,4,5,6',
    'point=st_buffer.POINT(1 1)',
    'low=match(col).name',
    'low=gt(col).high,x',
    'select=point.st_buffer(1)',
    'select=point.st_transform(4326);drop table test.spots',
    'select=point.st_simplify(-1)',
    'order=point.nearest()',
    'order=point.nearest(POINT(1 1)',
    'select=name.ts_headline(a,"english\'; --")',
  ])('%s is refused before the database is asked', async (query) => {
    expect(await rest.get(`/spots?${query}`)).toMatchReply({
      status: 400,
      json: expect.objectContaining({ code: 'SVRST100' }),
    });
  });

  test('what is no geometry is the client’s mistake, and never SQL', async () => {
    for (const query of [
      "point=st_within.POINT(1 1)'); drop table test.spots; --",
      'point=st_within.{"type":"Nothing"}',
      "order=point.nearest(POINT(1 1')))",
      'point=st_intersects.SRID=999999;POINT(1 1)',
      'point=st_intersects.SRID=77777;POINT(1 1)',
      'point=st_within.POLYGON((0 0,1 1))',
      'point=st_within.POLYGON((0 0,1 1,1 0,5 5))',
      'point=st_within.0101',
      `shape=st_within.${square}`,
    ])
      expect((await rest.get(`/spots?select=id&limit=1&${query}`)).status).toBe(400);
    expect(await idsOf('id=eq.0')).toEqual([0]);
  });

  test('nothing tells about a column that may not be read', async () => {
    for (const query of [
      'hidden=st_dwithin(1).POINT(7 51)',
      'order=hidden.nearest(POINT(7 51))',
      'select=id,hidden.st_x()',
      'point=eq(col).hidden',
    ])
      expect(await rest.get(`/spots?select=id&${query}&limit=1`.replace('select=id&select', 'select'))).toMatchReply({
        status: 401,
        json: expect.objectContaining({ code: '42501' }),
      });
  });
});

onEachEngine(
  'a database without PostGIS, trigrams and vectors',
  { fixtures: REST_FIXTURE_WITHOUT_POSTGIS, engines: ['postgres'] },
  (db) => {
    const rest = useRest(db);

    test.each([
      ['items?id=st_within.POINT(1 1)', 'st_within', 'postgis'],
      ['items?select=id.st_area()', 'st_area', 'postgis'],
      ['items?and=(id.bbox.(1,2,3,4))', 'bbox', 'postgis'],
      ['clients?name=similar.x', 'similar', 'pg_trgm'],
      ['clients?order=name.trgm_distance(x)', 'trgm_distance', 'pg_trgm'],
      ['items?order=id.l2_distance([1])', 'l2_distance', 'vector'],
    ])('%s', async (target, word, extension) => {
      expect(await rest.get(`/${target}`)).toMatchReply({
        status: 400,
        json: expect.objectContaining({
          code: 'SVRST183',
          message: `'${word}' requires the extension ${extension}, which is not installed in the database`,
        }),
      });
    });
  },
);

onEachEngine(
  'trigrams',
  { fixtures: REST_FIXTURE, skip: { pglite: 'pg_trgm is not in the embedded engine' } },
  (db) => {
    beforeAll(() =>
      db().script(`
        create schema trigrams; create extension pg_trgm schema trigrams; grant usage on schema trigrams to rest_anon;
        create table test.towns (id integer primary key, name text not null);
        insert into test.towns values (1, 'Dortmund'), (2, 'Dortrecht'), (3, 'Essen');
        grant select on test.towns to rest_anon;
      `),
    );
    const rest = useRest(db);

    test('find and order what is alike, in whatever schema the extension is', async () => {
      expect(await rest.get('/towns?select=id&name=similar.dortmun&order=id')).toMatchReply({
        json: ids(1, 2).slice(0, 1),
      });
      expect(await rest.get('/towns?select=id&order=name.trgm_distance(dortrech)')).toMatchReply({
        json: ids(2, 1, 3),
      });
      const reply = await rest.get('/towns?select=s:name.similarity(Essen),w:name.word_similarity(ess)&id=eq.3');
      expect(rows(reply)[0]).toMatchObject({ s: 1 });
    });
  },
);

describe('vectors', () => {
  onEachEngine(
    'pgvector',
    { fixtures: REST_FIXTURE, skip: { pglite: 'pgvector is not in the embedded engine' } },
    (db) => {
      let isThere = false;
      beforeAll(async () => {
        const found = await db().query("select 1 from pg_available_extensions where name = 'vector'");
        isThere = found.length > 0;
        if (!isThere) return;
        await db().script(`
        create extension vector schema public; create table test.vectors (id integer primary key, e vector(2));
        insert into test.vectors values (1, '[1,0]'), (2, '[0,1]'); grant select on test.vectors to rest_anon;
      `);
      });
      const rest = useRest(db);

      test('order by distance', async (context) => {
        if (!isThere) context.skip('pgvector is not installed on this server');
        expect(await rest.get('/vectors?select=id,d:e.l2_distance([0,1])&order=e.cosine_distance([0,1])')).toMatchReply(
          {
            json: [
              { id: 2, d: 0 },
              { id: 1, d: Math.SQRT2 },
            ],
          },
        );
      });
    },
  );
});
