// Clusters and hexagons: groups of points that the server counts, in tiles and in pictures.

import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { makeLayer, onLayers, setPerms } from './layer-kit.ts';
import { isNear, pictureOf } from './picture.ts';

type Group = {
  readonly id: number | undefined;
  readonly properties: Record<string, unknown>;
  readonly type: number;
  readonly geometry: number[][][];
};

function groupsOf(reply: Reply): readonly Group[] {
  if (reply.status === 204) return [];
  expect(reply).toMatchReply({ status: 200 });
  const [layer] = Object.values(new VectorTile(new PbfReader(reply.body as Uint8Array)).layers);
  return Array.from({ length: layer?.length ?? 0 }, (_, i) => {
    const feature = layer?.feature(i);
    const geometry = (feature?.loadGeometry() ?? []).map((ring) => ring.map(({ x, y }) => [x, y]));
    return { id: feature?.id, properties: feature?.properties ?? {}, type: feature?.type ?? 0, geometry };
  });
}

const countOf = (groups: readonly Group[]): number =>
  groups.reduce((sum, { properties }) => sum + Number(properties['point_count']), 0);

/** 3000 points on a spiral over most of the world, and 1200 in one place. */
const ROWS = `insert into $table (height, geom)
  select case when i % 10 = 0 then null else i end,
         st_transform(st_setsrid(st_makepoint(170 * cos(i) * i / 3000, 80 * sin(i) * i / 3000), 4326), $srid) from generate_series(1, 3000) i
  union all select 7, st_transform(st_setsrid(st_makepoint(9.01, 50.01), 4326), $srid) from generate_series(1, 1200)`;

onLayers('groups of points', {}, (kit) => {
  let hidden = 0;
  beforeAll(async () => {
    for (const [name, srid] of [
      ['spots', 4326],
      ['metres', 3857],
      ['lambert', 3035],
    ] as const) {
      const rows = srid === 3035 ? ROWS.replaceAll('170 *', '10 + 10 *').replaceAll('80 *', '50 + 10 *') : ROWS;
      await makeLayer(kit(), {
        name,
        columns: 'height integer, words text',
        geometry: 'Point',
        srid,
        rows: rows.replaceAll('$srid', String(srid)),
      });
    }
    hidden = await makeLayer(kit(), {
      name: 'hidden',
      geometry: 'Point',
      rows: `insert into $table (geom) values (st_setsrid(st_makepoint(9, 50), 4326))`,
    });
    await setPerms(kit(), hidden, {});
  });

  const get = (path: string): Promise<Reply> => kit().portal.visitor.get(path);

  describe.each(['spots', 'metres', 'lambert'])('of %s', (name) => {
    test.each([0, 1, 2])('clusters at zoom %i count every point once', async (z) => {
      let all = 0;
      for (let x = 0; x < 2 ** z; x++)
        for (let y = 0; y < 2 ** z; y++)
          all += countOf(groupsOf(await get(`/tiles/${name}/clusters/${z}/${x}/${y}.mvt?size=64`)));
      expect(all).toBe(4200);
    });
  });

  test('a cluster says how many it has, also in few letters; a point that stands alone says what it is', async () => {
    const groups = groupsOf(await get('/tiles/spots/clusters/6/33/21.mvt'));
    const alone = groups.filter(({ properties }) => properties['point_count'] === 1);
    expect(alone.length).toBeGreaterThan(0);
    for (const { id, properties } of alone) expect(properties['height'] ?? id).toBe(id);
    expect(groups.find(({ properties }) => properties['point_count'] === 1200)?.id).toBeFalsy();
    expect(groups.map(({ properties }) => properties)).toContainEqual({
      point_count: 1200,
      point_count_abbreviated: '1.2k',
    });
    expect(groups.every(({ type }) => type === 1)).toBe(true);
  });

  test('clusters keep their distance, also over the edges of tiles', async () => {
    const places: (readonly [number, number])[] = [];
    for (const [x, y] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const)
      for (const { geometry } of groupsOf(await get(`/tiles/spots/clusters/1/${x}/${y}.mvt?size=128`)))
        for (const [left = 0, top = 0] of geometry[0] ?? []) places.push([x * 4096 + left, y * 4096 + top]);
    expect(places.length).toBeGreaterThan(30);
    const apart = (4096 * 128 * 2) / 3 / 512;
    // To the next line of the tile's grid.
    for (const [i, one] of places.entries())
      for (const other of places.slice(i + 1))
        expect(Math.hypot(one[0] - other[0], one[1] - other[1])).toBeGreaterThan(apart - 2);
  });

  test('a hexagon over the edge of two tiles has the same number in both', async () => {
    const [west, east] = [
      groupsOf(await get('/tiles/spots/hexagons/1/0/0.mvt?size=48')),
      groupsOf(await get('/tiles/spots/hexagons/1/1/0.mvt?size=48')),
    ];
    // Hexagons on both sides of the edge, from north to south.
    const cut = (groups: readonly Group[], edge: number): readonly unknown[] =>
      groups
        .flatMap(({ geometry, properties }) => {
          const ring = geometry.flat();
          if (!ring.some(([x = 0]) => x < edge) || !ring.some(([x = 0]) => x > edge)) return [];
          return [{ top: Math.min(...ring.map(([, y = 0]) => y)), count: properties['point_count'] }];
        })
        .sort((a, b) => a.top - b.top)
        .map(({ count }) => count);
    const [left, right] = [cut(west, 4096), cut(east, 0)];
    expect(left.length).toBeGreaterThan(3);
    expect(right).toEqual(left);
  });

  test('hexagons count, add up and take means; what has no number is counted and not averaged', async () => {
    const sums = groupsOf(await get('/tiles/metres/hexagons/0/0/0.mvt?size=64&sum=height'));
    expect(countOf(sums)).toBe(4200);
    const total = sums.reduce((sum, { properties }) => sum + Number(properties['value'] ?? 0), 0);
    // 1 + … + 3000 without every tenth, and 1200 times 7.
    expect(total).toBeCloseTo((3000 * 3001) / 2 - (10 * (300 * 301)) / 2 + 1200 * 7, 3);
    const [spot] = groupsOf(await get('/tiles/spots/hexagons/10/537/347.mvt?mean=height')).filter(
      ({ properties }) => properties['point_count'] === 1200,
    );
    expect(spot?.properties['value']).toBe(7);
    expect(spot?.type).toBe(3);
  });

  test.each([
    [{ op: '<=', args: [{ property: 'height' }, 100] }, 90 + 1200],
    ['height is null', 300],
    ['height > 5000', 0],
  ])('groups of the features that pass %j count no others', async (filter, expected) => {
    const said = encodeURIComponent(typeof filter === 'string' ? filter : JSON.stringify(filter));
    for (const kind of ['clusters', 'hexagons'])
      expect(countOf(groupsOf(await get(`/tiles/spots/${kind}/0/0/0.mvt?size=64&filter=${said}`))), kind).toBe(
        expected,
      );
    // Without a filter before and after it: one tile is not taken for the other.
    expect(countOf(groupsOf(await get('/tiles/spots/clusters/0/0/0.mvt?size=64')))).toBe(4200);
  });

  test('a tile of features has those that pass a filter, whatever attribute it is about', async () => {
    const found = groupsOf(await get('/tiles/spots/0/0/0.mvt?filter=height%3D7'));
    expect(found).toHaveLength(1201);
    expect(found.every(({ properties }) => properties['height'] === 7)).toBe(true);
  });

  test.each([
    ['/tiles/spots/clusters/0/0/0.mvt?filter=height%20%3E', 'filter: '],
    ['/tiles/spots/0/0/0.mvt?filter=nothing%3D7', 'filter: '],
    ['/tiles/spots/0/0/0.mvt?filter=height%3D7&filter-lang=sql', 'filter-lang is cql2-text or cql2-json.'],
    ['/tiles/spots/0/0/0.mvt?filter=height%3D7&filter=height%3D8', 'There is one filter.'],
    ["/tiles/spots/0/0/0.mvt?filter=height%20%3D%20'a'", 'A value does not fit'],
  ])('%s is refused, and says what is wrong with the filter', async (path, detail) => {
    const reply = await get(path);
    expect(reply.status).toBe(400);
    expect(textOf(reply.body)).toContain(detail);
  });

  test.each([
    ['/tiles/spots/clusters/0/0/0.mvt?size=50', 'The size of a cluster is one of 32, 64, 128.'],
    ['/tiles/spots/clusters/0/0/0.mvt?size=1e1', 'A group has a "size" in pixels.'],
    ['/tiles/spots/hexagons/0/0/0.mvt?size=4', 'The size of a hexagon is between 12 and 128 pixels.'],
    ['/tiles/spots/hexagons/0/0/0.mvt?sum=height&mean=height', 'A group has a sum or a mean, not both.'],
    ['/tiles/spots/hexagons/0/0/0.mvt?sum=words', 'spots has no column of numbers "words".'],
    ['/tiles/spots/hexagons/0/0/0.mvt?sum=geom', 'spots has no column of numbers "geom".'],
  ])('%s is refused with the reason', async (path, detail) => {
    const reply = await get(path);
    expect(reply.status).toBe(400);
    expect(textOf(reply.body)).toContain(JSON.stringify(detail).slice(1, -1));
  });

  test('who may not see a layer counts nothing of it', async () => {
    expect((await get('/tiles/hidden/clusters/0/0/0.mvt')).status).toBe(404);
    expect((await get('/tiles/hidden/hexagons/0/0/0.mvt')).status).toBe(404);
    expect((await get('/tiles/hidden/clusters/0/0/0.mvt?filter=fid%3D1')).status).toBe(404);
    expect(countOf(groupsOf(await kit().portal.as('ada').get('/tiles/hidden/clusters/0/0/0.mvt')))).toBe(1);
  });

  const cluster = { kind: 'cluster', size: 64 };
  const STYLE = [
    {
      id: 'cluster',
      type: 'circle',
      metadata: { 'survest:group': cluster },
      paint: {
        'circle-color': ['step', ['get', 'point_count'], '#0000ff', 1000, '#ff0000'],
        'circle-radius': ['step', ['get', 'point_count'], 6, 1000, 20],
      },
    },
    {
      id: 'count',
      type: 'symbol',
      metadata: { 'survest:group': cluster },
      filter: ['>', ['get', 'point_count'], 1],
      layout: { 'text-field': ['get', 'point_count_abbreviated'], 'text-allow-overlap': true },
      paint: { 'text-color': '#ffffff' },
    },
  ];

  test('our maps draw clusters in any system, and the document of the style says where they come from', async () => {
    expect((await kit().portal.as('ada').put('/styles/spots/clusters.json', STYLE)).status).toBeLessThan(300);
    const box = (from: string): string =>
      `/wms?SERVICE=WMS&REQUEST=GetMap&LAYERS=spots&STYLES=clusters&FORMAT=image/png&${from}`;
    for (const from of [
      'VERSION=1.1.1&SRS=EPSG:3857&BBOX=800000,6260000,1200000,6660000&WIDTH=512&HEIGHT=512',
      'VERSION=1.1.1&SRS=EPSG:4326&BBOX=7.5,48.7,10.8,51.3&WIDTH=512&HEIGHT=512',
      'VERSION=1.1.1&SRS=EPSG:25832&BBOX=380000,5400000,620000,5640000&WIDTH=512&HEIGHT=512',
      // All of the world, poles included.
      'VERSION=1.1.1&SRS=EPSG:4326&BBOX=-180,-90,180,90&WIDTH=1024&HEIGHT=512',
    ]) {
      const picture = await pictureOf(await get(box(from)));
      // A circle of 20 pixels has 1257 of them; its number covers some.
      expect(picture.count([255, 0, 0]), from).toBeGreaterThan(700);
      expect(picture.count([255, 0, 0]), from).toBeLessThan(1300);
    }
    const { sources, layers } = JSON.parse(textOf((await get('/styles/spots/clusters.json')).body)) as {
      sources: Record<string, { tiles?: string[] }>;
      layers: { source: string }[];
    };
    const [source = ''] = layers.map((one) => one.source);
    expect(sources[source]?.tiles?.[0]).toMatch(/\/tiles\/spots\/clusters\/\{z\}\/\{x\}\/\{y\}\.mvt\?size=64$/);
  });

  test('hexagons are drawn in their classes', async () => {
    const group = { kind: 'hexagon', size: 48, value: { of: 'mean', column: 'height' } };
    const color = ['step', ['get', 'value'], '#00ff00', 1000, '#ff0000'];
    const style = [{ id: 'cells', type: 'fill', metadata: { 'survest:group': group }, paint: { 'fill-color': color } }];
    expect((await kit().portal.as('ada').put('/styles/spots/cells.json', style)).status).toBeLessThan(300);
    const picture = await pictureOf(
      await get(
        '/wms?SERVICE=WMS&REQUEST=GetMap&VERSION=1.1.1&LAYERS=spots&STYLES=cells&FORMAT=image/png&SRS=EPSG:3857&BBOX=-20037508,-20037508,20037508,20037508&WIDTH=512&HEIGHT=512',
      ),
    );
    // The spiral is low in the middle and high outside.
    expect(isNear(picture.at(250, 250), [0, 255, 0, 255])).toBe(true);
    expect(picture.count([255, 0, 0])).toBeGreaterThan(20_000);
  });

  test.each([
    [{ kind: 'cluster', size: 63 }, 'circle'],
    [{ kind: 'pie', size: 64 }, 'circle'],
    [cluster, 'heatmap'],
  ])('a style with the group %j in a layer of type %s is refused', async (group, type) => {
    const reply = await kit()
      .portal.as('ada')
      .put('/styles/spots/wrong.json', [{ id: 'a', type, metadata: { 'survest:group': group } }]);
    expect(reply.status).toBe(400);
  });
});
