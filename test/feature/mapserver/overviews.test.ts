// Tiles of layers with more features than a tile can show: what stands for the others, who sees it, and how soon it follows an edit.

import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { beforeAll, expect, test } from 'vitest';
import { VISITOR } from '../../../src/auth/caller.ts';
import { buildOverview } from '../../../src/mapserver/overviews/build-overview.ts';
import { buildDue, type OverviewJobParts, renewDue } from '../../../src/mapserver/overviews/overview-job.ts';
import { groupRows, planViewGroups } from '../../../src/mapserver/query/group-sql.ts';
import { toStatement } from '../../../src/mapserver/query/value.ts';
import { overviewParts } from '../../../src/server/open-overviews.ts';
import { sql } from '../../../src/sql/index.ts';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { scriptAs } from '../portal/on-catalogue.ts';
import { makeLayer, OPEN, onLayers, setPerms } from './layer-kit.ts';
import { isNear, type Picture, pictureOf } from './picture.ts';

type Feature = { readonly id: number; readonly properties: Record<string, unknown>; readonly box: readonly number[] };

function featuresOf({ body }: Reply): Feature[] {
  const [layer] = Object.values(new VectorTile(new PbfReader(body as Uint8Array)).layers);
  return Array.from({ length: layer?.length ?? 0 }, (_, i) => {
    const feature = layer?.feature(i);
    return { id: feature?.id ?? 0, properties: feature?.properties ?? {}, box: feature?.bbox() ?? [] };
  });
}

function standFor(features: readonly Feature[]): number {
  return features.reduce((sum, { properties }) => sum + Number(properties['point_count'] ?? 1), 0);
}

const NO_REQUEST = { method: 'GET', path: '/' } as const;
const POINTS = 52_000;
const TOWN = 12_000;
/** 120 by 120 squares side by side. */
const SQUARES = 14_400;

onLayers('overviews', {}, (kit) => {
  let points = 0;
  const failures: unknown[] = [];
  const parts = (): OverviewJobParts => overviewParts(kit().callerDb, (error) => failures.push(error));
  const due = (): Promise<number> => buildDue(parts(), new AbortController().signal);
  const tile = (layer: string, z: number, x: number, y: number): Promise<Reply> =>
    kit().portal.visitor.get(`/tiles/${layer}/${z}/${x}/${y}.mvt`);

  beforeAll(async () => {
    // Spread over 8 by 8 degrees, in rows; one class after the other, as exports often are.
    points = await makeLayer(kit(), {
      name: 'spots',
      columns: 'name text, class text',
      geometry: 'Point',
      rows: `insert into $table (name, class, geom)
        select 'Spot ' || i, case when i < ${POINTS} / 4 then 'rare' else 'common' end,
               public.st_setsrid(public.st_makepoint(8 + (i * 7919 % 4001) * 0.002, 46 + (i * 104729 % 3989) * 0.002), 4326)
          from generate_series(1::bigint, ${POINTS}) i`,
    });
    await makeLayer(kit(), {
      name: 'squares',
      columns: 'kind text',
      geometry: 'Polygon',
      srid: 3857,
      rows: `insert into $table (kind, geom)
        select 'k' || i % 3, public.st_makeenvelope(1000000 + i * 100, 6000000 + j * 100, 1000100 + i * 100, 6000100 + j * 100, 3857)
          from generate_series(0, 119) i, generate_series(0, 119) j`,
    });
    // Enough for a crowd, too few to be kept by key: 2 by 2 degrees.
    await makeLayer(kit(), {
      name: 'town',
      columns: 'name text',
      geometry: 'Point',
      rows: `insert into $table (name, geom)
        select 'p' || i, public.st_setsrid(public.st_makepoint(8 + (i * 7919 % 4001) * 0.0005, 46 + (i * 104729 % 3989) * 0.0005), 4326)
          from generate_series(1::bigint, ${TOWN}) i`,
    });
    await makeLayer(kit(), {
      name: 'few',
      columns: 'name text',
      geometry: 'Point',
      rows: `insert into $table (name, geom) select 'p' || i, public.st_setsrid(public.st_makepoint(i, i), 4326) from generate_series(1, 50) i`,
    });
  });

  test('layers of many features get an overview, and small ones and their tiles stay what they are', async () => {
    const before = await tile('few', 0, 0, 0);
    expect(await due()).toBe(3);
    expect(failures).toEqual([]);
    expect(await due()).toBe(0);
    const after = await tile('few', 0, 0, 0);
    expect(Buffer.compare(Buffer.from(after.body as Uint8Array), Buffer.from(before.body as Uint8Array))).toBe(0);
  });

  test('a tile of very many points has one for each cell, which say how many they stand for', async () => {
    const reply = await tile('spots', 4, 8, 5);
    const features = featuresOf(reply);
    // Cells of two pixels, as long as they fit.
    expect(features.length).toBeLessThan(17_000);
    expect(features.length).toBeGreaterThan(5000);
    expect(standFor(features)).toBe(POINTS);
    expect((reply.body as Uint8Array).length).toBeLessThan(500_000);
  });

  test('a tile of fewer points has cells as fine: beside one of very many it does not look emptier than it is', async () => {
    const features = featuresOf(await tile('town', 4, 8, 5));
    // 23 by 34 cells of two pixels; of four pixels they would be a quarter.
    expect(features.length).toBeGreaterThan(500);
    expect(features.length).toBeLessThan(1000);
    expect(standFor(features)).toBe(TOWN);
    // Nearer by, cells of two pixels would weigh too much.
    const near = featuresOf(await tile('spots', 5, 17, 11));
    expect(near.length).toBeGreaterThan(2000);
    expect(near.length).toBeLessThan(17_000);
  });

  test('classes keep their shares, whatever order they were imported in, and what is different in every feature is left out', async () => {
    const features = featuresOf(await tile('spots', 4, 8, 5));
    const rare = features.filter(({ properties }) => properties['class'] === 'rare').length;
    expect(rare / features.length).toBeGreaterThan(0.2);
    expect(rare / features.length).toBeLessThan(0.3);
    expect(features.some(({ properties }) => 'name' in properties)).toBe(false);
  });

  test('a tile that is not crowded holds every feature with every attribute', async () => {
    // A zoom below the overview: 0.35 degrees wide.
    const features = featuresOf(await tile('spots', 10, 540, 340));
    expect(features.length).toBeGreaterThan(50);
    expect(features.every(({ properties }) => 'name' in properties && !('point_count' in properties))).toBe(true);
  });

  test('areas smaller than a cell are merged into squares that leave no gaps', async () => {
    const features = featuresOf(await tile('squares', 10, 537, 358));
    // 120 of them are 12 kilometres, a third of the tile: 39 cells.
    expect(features.length).toBeLessThan(2000);
    expect(standFor(features)).toBe(SQUARES);
    const [width = 0, height = 0] = [0, 1].map((axis) => {
      const low = features.map(({ box }) => box[axis] ?? 0);
      const high = features.map(({ box }) => box[axis + 2] ?? 0);
      return Math.max(...high) - Math.min(...low);
    });
    const covered = features.reduce((sum, { box: [a = 0, b = 0, c = 0, d = 0] }) => sum + (c - a) * (d - b), 0);
    expect(covered / (width * height)).toBeGreaterThan(0.9);
  });

  test('the tile’s description says up to which zoom features are aggregated, and which fields are left', async () => {
    const reply = await kit().portal.visitor.get('/tiles/spots.json');
    const json = JSON.parse(textOf(reply.body)) as { vector_layers: readonly { overview?: unknown }[] };
    expect(json.vector_layers[0]?.overview).toEqual({
      kind: 'aggregated',
      maxzoom: expect.any(Number),
      fields: ['class'],
      kept: ['class'],
      count: 'point_count',
    });
  });

  test('a column that would be left out is in the tile of whoever asks for it', async () => {
    const asked = (query: string): Promise<Reply> => kit().portal.visitor.get(`/tiles/spots/4/8/5.mvt${query}`);
    const before = await asked('');
    expect(featuresOf(before).some(({ properties }) => 'name' in properties)).toBe(false);
    const named = await asked('?column=name&column=class');
    const features = featuresOf(named);
    expect(features.length).toBe(featuresOf(before).length);
    expect(features.every(({ properties }) => /^Spot \d+$/.test(String(properties['name'])))).toBe(true);
    expect(standFor(features)).toBe(standFor(featuresOf(before)));
    // They are two tiles, to caches as well; the order of the names is none.
    expect(headerOf(named, 'etag')).not.toBe(headerOf(before, 'etag'));
    expect(headerOf(await asked('?column=class&column=name'), 'etag')).toBe(headerOf(named, 'etag'));
    for (const query of [
      '?column=nothing',
      '?column=',
      `?${Array.from({ length: 13 }, (_, i) => `column=c${i}`).join('&')}`,
    ])
      expect(await asked(query), query).toMatchReply({ status: 400 });
    expect(
      featuresOf(await asked("?column=name&filter=class='rare'")).every(({ properties }) => 'name' in properties),
    ).toBe(true);
  });

  test('a style of the layer, or one that a map has of its own for it, brings its columns into the tiles', async () => {
    const renewed = (): Promise<number> => renewDue(parts(), new AbortController().signal);
    const fields = async (): Promise<readonly string[]> => {
      const { body } = await kit().portal.visitor.get('/tiles/spots.json');
      const [layer] = (JSON.parse(textOf(body)) as { vector_layers: { overview?: { fields: string[] } }[] })
        .vector_layers;
      return layer?.overview?.fields ?? [];
    };
    const look = (column: string) => [{ id: 'c', type: 'circle', paint: { 'circle-color': ['get', column] } }];
    const addMap = async (name: string, params: object): Promise<void> => {
      await scriptAs(
        kit().portal,
        'ada',
        `insert into portal.resource (resource_type, title, name, zoom, projection, center_x, center_y) values ('map', 'A map', '${name}', 4, 'EPSG:3857', 10, 51)`,
      );
      await scriptAs(
        kit().portal,
        'ada',
        `insert into portal.map_layer (map_id, layer_id, layer_params) select id, ${points}, '${JSON.stringify(params)}' from portal.resource where name = '${name}'`,
      );
    };
    while ((await renewed()) > 0);
    await addMap('looked', { 'survest:style': look('name') });
    expect(await fields()).toEqual(['class']);
    expect(await renewed()).toBe(1);
    expect(await renewed()).toBe(0);
    expect(await fields()).toEqual(['name', 'class']);
    const [one] = featuresOf(await tile('spots', 4, 8, 5));
    expect(one?.properties['name']).toMatch(/^Spot \d+$/);
    // The overview itself is the one before: no row of the layer has changed.
    expect(await due()).toBe(0);
    // A map without a style of its own asks for nothing.
    await addMap('plain', { opacity: 1 });
    expect(await renewed()).toBe(0);
    expect((await kit().portal.as('ada').put('/styles/spots/words.json', look('name'))).status).toBeLessThan(300);
    expect(await renewed()).toBe(1);
    expect(await renewed()).toBe(0);
    await scriptAs(kit().portal, 'ada', `delete from portal.resource where resource_type = 'map'`);
    expect((await kit().portal.as('ada').delete('/styles/spots/words')).status).toBeLessThan(300);
    expect(failures).toEqual([]);
  });

  test('a row that is added, moved or deleted is seen so in the next tile', async () => {
    const idsOf = async (z: number, x: number, y: number): Promise<Set<number>> =>
      new Set(featuresOf(await tile('spots', z, x, y)).map(({ id }) => id));
    const shown = [...(await idsOf(4, 8, 5))].slice(0, 2);
    const [gone = 0, moved = 0] = shown;
    await kit().db.script(`
      insert into layers.spots (fid, name, class, geom) values (900001, 'New', 'rare', public.st_setsrid(public.st_makepoint(9, 49), 4326));
      update layers.spots set geom = public.st_setsrid(public.st_makepoint(-60, -20), 4326) where fid = ${moved};
      delete from layers.spots where fid = ${gone}`);
    const after = await idsOf(4, 8, 5);
    expect(after.has(900_001)).toBe(true);
    expect(after.has(gone)).toBe(false);
    expect(after.has(moved)).toBe(false);
    expect((await idsOf(4, 5, 8)).has(moved)).toBe(true);
  });

  test('after many rows were written at once the overview is not used until it is made anew', async () => {
    const isAggregated = async (): Promise<boolean> =>
      featuresOf(await tile('squares', 10, 537, 358)).some(({ properties }) => 'point_count' in properties);
    expect(await isAggregated()).toBe(true);
    await kit().db.script(`
      insert into layers.squares (kind, geom)
        select 'k0', public.st_makeenvelope(1000000 + i, 6000000, 1000001 + i, 6000001, 3857) from generate_series(1, 5001) i`);
    expect(await isAggregated()).toBe(false);
    expect(await due()).toBe(1);
    expect(standFor(featuresOf(await tile('squares', 10, 537, 358)))).toBe(SQUARES + 5001);
  });

  const MERCATOR = 20_037_508.342789244;
  /** The tile as a picture of our own renderer, in a style of its own. */
  const pictureOfTile = async (layer: string, z: number, x: number, y: number, style: string): Promise<Picture> => {
    const span = (2 * MERCATOR) / 2 ** z;
    const [west, north] = [x * span - MERCATOR, MERCATOR - y * span];
    return pictureOf(
      await kit().portal.visitor.get(
        `/wms?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=${layer}&STYLES=${style}&SRS=EPSG:3857&BBOX=${west},${north - span},${west + span},${north}&WIDTH=512&HEIGHT=512&FORMAT=image/png`,
      ),
    );
  };

  test('a picture shows the features of the tiles that viewers show, and no others', async () => {
    const paint = { 'circle-color': '#ff0000', 'circle-radius': 1, 'circle-stroke-width': 0 };
    const style = [{ id: 'c', type: 'circle', paint }];
    expect((await kit().portal.as('ada').put('/styles/spots/dots.json', style)).status).toBeLessThan(300);
    const features = featuresOf(await tile('spots', 4, 8, 5));
    const picture = await pictureOfTile('spots', 4, 8, 5, 'dots');
    const isRed = (x: number, y: number): boolean => {
      const [red = 0, green = 0, , alpha = 0] = picture.at(x, y);
      return alpha > 0 && red > green + 60;
    };
    const near = new Set<string>();
    const missing: string[] = [];
    for (const { box } of features) {
      const [x, y] = [Math.floor((box[0] ?? 0) / 8), Math.floor((box[1] ?? 0) / 8)];
      if (x < 1 || y < 1 || x > 510 || y > 510) continue;
      if (!isRed(x, y)) missing.push(`${x} ${y}`);
      for (let dx = -2; dx <= 2; dx++) for (let dy = -2; dy <= 2; dy++) near.add(`${x + dx} ${y + dy}`);
    }
    const strange: string[] = [];
    for (let x = 4; x < 508; x++)
      for (let y = 4; y < 508; y++) if (isRed(x, y) && !near.has(`${x} ${y}`)) strange.push(`${x} ${y}`);
    expect(near.size).toBeGreaterThan(5000);
    expect(missing).toEqual([]);
    expect(strange).toEqual([]);
  });

  test('areas that are merged leave no gaps in a picture, and none is drawn twice where two tiles meet', async () => {
    const style = [{ id: 'f', type: 'fill', paint: { 'fill-color': '#0000ff', 'fill-opacity': 0.5 } }];
    expect((await kit().portal.as('ada').put('/styles/squares/half.json', style)).status).toBeLessThan(300);
    // Zoom 9 and half of another tile beside: 120 squares of 100 metres are 39 pixels.
    const span = 12_000 * 3;
    const [west, south] = [1_000_000 - span / 3, 6_000_000 - span / 3];
    const reply = await kit().portal.visitor.get(
      `/wms?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=squares&STYLES=half&SRS=EPSG:3857&BBOX=${west},${south},${west + span},${south + span}&WIDTH=240&HEIGHT=240&FORMAT=image/png&TRANSPARENT=false`,
    );
    const picture = await pictureOf(reply);
    // The middle third, but for its edge: all of it once, at half its opacity on white.
    for (let x = 86; x < 154; x++)
      for (let y = 86; y < 154; y++) expect(isNear(picture.at(x, y), [128, 128, 255, 255]), `${x} ${y}`).toBe(true);
  });

  test('heat is that of all features, also where one stands for others', async () => {
    const paint = {
      'heatmap-radius': 3,
      'heatmap-intensity': 0.02,
      'heatmap-color': ['interpolate', ['linear'], ['heatmap-density'], 0, '#ffffff', 1, '#ff0000'],
    };
    expect(
      (
        await kit()
          .portal.as('ada')
          .put('/styles/spots/heat.json', [{ id: 'h', type: 'heatmap', paint }])
      ).status,
    ).toBeLessThan(300);
    const all = await pictureOfTile('spots', 0, 0, 0, 'heat');
    // 52,000 points on some 11 by 17 pixels: one for each cell alone would leave it nearly white.
    expect(all.count([255, 0, 0], 40)).toBeGreaterThan(20);
  });

  test('who does not see the layer gets neither the tile nor the keys', async () => {
    await setPerms(kit(), points, {});
    expect(await tile('spots', 4, 8, 5)).toMatchReply({ status: 404 });
    await expect(pictureOfTile('spots', 4, 8, 5, 'dots')).rejects.toThrow('no picture');
    const counted = await kit().db.query<{ n: number }>(`
      select (select count(*)::int from portal.overview_cells(${points}, 4, 8, 5)) + (select count(*)::int from portal.overview_fresh(${points})) as n
        from (select set_config('role', 'survest_anon', true)) r`);
    expect(counted[0]?.n).toBe(0);
    await setPerms(kit(), points, OPEN);
    expect(await tile('spots', 4, 8, 5)).toMatchReply({ status: 200 });
  });

  test('a table with row rules of its own is drawn of the rows that the caller sees, and of no overview', async () => {
    await kit().db.script(
      `create policy common_only on layers.spots as restrictive for select to survest_anon using (class = 'common')`,
    );
    const features = featuresOf(await tile('spots', 4, 8, 5));
    expect(features.length).toBeGreaterThan(1000);
    expect(features.every(({ properties }) => properties['class'] === 'common')).toBe(true);
    expect(features.some(({ properties }) => 'point_count' in properties)).toBe(false);
    await kit().db.script('drop policy common_only on layers.spots');
  });

  test('groups of very many points are counted by the overview, with rows that came since', async () => {
    const found = await parts().layers.find(VISITOR, NO_REQUEST, 'spots');
    if (!found.ok || found.value.kind !== 'vector') throw new Error('no layer');
    expect(await buildOverview(parts(), points, new AbortController().signal)).toBe('made');
    await kit().db.script(
      `insert into layers.spots (geom) values (public.st_setsrid(public.st_makepoint(12.001, 50.001), 4326))`,
    );
    // Said to be far more than are counted one by one.
    const layer = { ...found.value, estimatedRows: 1e9 };
    const [all] = await kit().db.query<{ n: string }>('select count(*)::text as n from layers.spots');
    for (const group of [
      { kind: 'cluster', size: 64 },
      { kind: 'hexagon', size: 40 },
    ] as const) {
      const plan = planViewGroups(layer, group, [-2e7, -2e7, 2e7, 2e7], 4, []);
      expect(plan.source.kind).toBe('kept');
      const { text, params } = toStatement(sql`select sum(c0) from (${groupRows(plan)}) g`);
      const read = await kit().callerDb.read(VISITOR, NO_REQUEST, [{ text, params }]);
      if (!read.ok) throw new Error(JSON.stringify(read.error));
      expect(read.value[0]?.rows[0]?.[0]?.toString(), group.kind).toBe(all?.n);
    }
  });
});
