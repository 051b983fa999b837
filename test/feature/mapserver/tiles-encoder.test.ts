// Our own encoder of tiles beside that of PostGIS, on the same features; and tiles of crowds, on both engines.

import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { beforeAll, expect, test } from 'vitest';
import { VISITOR } from '../../../src/auth/caller.ts';
import type { TileAddress } from '../../../src/geo/tile.ts';
import { wholeTile } from '../../../src/mapserver/query/tile-plan.ts';
import { encodedTileStatement, tileRowsStatement } from '../../../src/mapserver/query/tile-sql.ts';
import { encodeTile, readTileRows } from '../../../src/mapserver/tiles/encode-tile.ts';
import { makeLayerAccess } from '../../../src/portal/layers/layer-access.ts';
import { type LayerKit, makeLayer, onLayers } from './layer-kit.ts';

type Part = { readonly x: number; readonly y: number };
type Shown = {
  layer: string;
  id: number | undefined;
  type: number;
  properties: Record<string, unknown>;
  rings: Part[][];
};

function decode(bytes: Uint8Array): Map<number | undefined, Shown> {
  const found = new Map<number | undefined, Shown>();
  for (const [name, layer] of Object.entries(new VectorTile(new PbfReader(bytes)).layers)) {
    for (let i = 0; i < layer.length; i += 1) {
      const feature = layer.feature(i);
      const { id, type, properties } = feature;
      found.set(id, { layer: name, id, type, properties, rings: feature.loadGeometry() });
    }
  }
  return found;
}

function measure({ type, rings }: Shown): { size: number; edge: number; box: number[] } {
  let size = 0;
  let edge = 0;
  const all = rings.flat();
  for (const ring of rings) {
    for (const [i, { x, y }] of ring.entries()) {
      const next = ring[i + 1] ?? (type === 3 ? ring[0] : undefined);
      if (next === undefined) continue;
      edge += Math.hypot(next.x - x, next.y - y);
      size += (x * next.y - next.x * y) / 2;
    }
  }
  const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)];
  return { size, edge, box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] };
}

onLayers('the encoder of tiles', { engines: ['postgres'] }, (kit) => {
  const both = async (
    name: string,
    tile: TileAddress,
  ): Promise<readonly [Map<number | undefined, Shown>, Map<number | undefined, Shown>]> => {
    const found = await makeLayerAccess(kit().portal.callerDb).find(VISITOR, { method: 'GET', path: '/' }, name);
    if (!found.ok || found.value.kind !== 'vector') throw new Error(JSON.stringify(found));
    const plan = wholeTile(found.value, tile);
    const executed = await kit().db.driver.execute([encodedTileStatement(plan), tileRowsStatement(plan)]);
    if (!executed.ok) throw new Error(JSON.stringify(executed.error));
    const [theirs, ours] = executed.value;
    const hex = theirs?.rows[0]?.[0]?.toString().slice(2) ?? '';
    return [decode(Buffer.from(hex, 'hex')), decode(encodeTile(plan.layer.name, readTileRows(plan, ours?.rows ?? [])))];
  };

  beforeAll(async () => {
    const columns =
      'name text, n integer, big bigint, x double precision, exact numeric, yes boolean, at timestamptz, data jsonb';
    const values = `'f' || i, i - 50, i * 1000000000::bigint, i / 7.0, i / 8.0, i % 2 = 0, timestamptz '2020-01-01Z' + i * interval '1 day', json_build_object('i', i)::jsonb`;
    const insert = (shape: string): string =>
      `insert into $table (name, n, big, x, exact, yes, at, data, geom) select ${values}, ${shape} from generate_series(1, 100) i`;
    await makeLayer(kit(), {
      name: 'points',
      columns,
      geometry: 'Point',
      rows: insert('st_setsrid(st_makepoint(i * 3 - 150, i - 50), 4326)'),
    });
    await makeLayer(kit(), {
      name: 'clouds',
      columns,
      geometry: 'MultiPoint',
      rows: insert(
        'st_multi(st_collect(st_setsrid(st_makepoint(i * 3 - 150, i - 50), 4326), st_setsrid(st_makepoint(i * 3 - 151, i - 48), 4326)))',
      ),
    });
    await makeLayer(kit(), {
      name: 'lines',
      columns,
      geometry: 'LineString',
      srid: 25832,
      rows: insert(
        'st_makeline(array(select st_setsrid(st_makepoint(300000 + i * 4000 + k * 500 * cos(i * k), 5400000 + k * 3000 + 500 * sin(i + k)), 25832) from generate_series(0, 200) k))',
      ),
    });
    await makeLayer(kit(), {
      name: 'areas',
      columns,
      geometry: 'MultiPolygon',
      srid: 25832,
      rows: insert(
        'st_multi(st_difference(st_buffer(st_setsrid(st_makepoint(300000 + (i % 10) * 40000, 5400000 + i / 10 * 40000), 25832), 15000 + i * 30, 12), st_buffer(st_setsrid(st_makepoint(302000 + (i % 10) * 40000, 5400000 + i / 10 * 40000), 25832), 4000)))',
      ),
    });
  });

  test.each<[string, TileAddress]>([
    ['points', { z: 0, x: 0, y: 0 }],
    ['points', { z: 3, x: 4, y: 3 }],
    ['clouds', { z: 2, x: 2, y: 1 }],
    ['lines', { z: 5, x: 16, y: 10 }],
    ['lines', { z: 8, x: 133, y: 87 }],
    ['areas', { z: 5, x: 16, y: 10 }],
    ['areas', { z: 7, x: 67, y: 43 }],
    ['areas', { z: 9, x: 268, y: 174 }],
    ['areas', { z: 12, x: 2139, y: 1392 }],
  ])('%s in %j: the same features, attributes and shapes', async (name, tile) => {
    const [theirs, ours] = await both(name, tile);
    expect([...ours.keys()].sort()).toEqual([...theirs.keys()].sort());
    expect(theirs.size).toBeGreaterThan(0);
    for (const [id, their] of theirs) {
      const our = ours.get(id);
      if (our === undefined) throw new Error(`feature ${id} is missing`);
      expect([our.layer, their.layer]).toEqual([name, name]);
      expect(our.type).toBe(their.type);
      expect(our.properties).toEqual(their.properties);
      const [a, b] = [measure(their), measure(our)];
      for (const [i, edge] of b.box.entries()) expect(Math.abs(edge - (a.box[i] ?? 0))).toBeLessThanOrEqual(1);
      // Each corner may be rounded to another unit of the grid.
      if (their.type === 3) expect(Math.abs(b.size - a.size)).toBeLessThanOrEqual(a.edge + 4);
      if (their.type === 2) expect(Math.abs(b.edge - a.edge)).toBeLessThanOrEqual(0.02 * a.edge + 4);
      if (their.type === 3) expect(Math.sign(b.size)).toBe(Math.sign(a.size));
    }
  });
});

onLayers('tiles of crowds', {}, (kit) => {
  beforeAll(async () => {
    await makeLayer(kit(), {
      name: 'crowd',
      columns: 'n integer',
      geometry: 'Point',
      rows: `insert into $table (n, geom) select n, st_setsrid(st_makepoint(7 + (n % 150) / 1000.0, 50 + (n / 150) / 1000.0), 4326) from generate_series(0, 14999) n`,
    });
    await makeLayer(kit(), {
      name: 'plots',
      columns: 'n integer',
      geometry: 'Polygon',
      srid: 3857,
      rows: `insert into $table (n, geom)
        select n, st_makeenvelope(800000 + (n % 150) * 100, 6500000 + (n / 150) * 100, 800080 + (n % 150) * 100, 6500080 + (n / 150) * 100, 3857) from generate_series(0, 14999) n
        union all select 99999, st_makeenvelope(800000, 6400000, 1000000, 6490000, 3857)`,
    });
  });

  const shown = async ({ portal }: LayerKit, target: string): Promise<Map<number | undefined, Shown>> =>
    decode((await portal.visitor.get(target)).body as Uint8Array);

  test('far away, cells have all features, and what is larger than a cell is there itself', async () => {
    const features = Object.values(
      new VectorTile(
        new PbfReader((await kit().portal.visitor.get('/tiles/crowd,plots/5/16/10.mvt')).body as Uint8Array),
      ).layers,
    ).flatMap((layer) => Array.from({ length: layer.length }, (_, i) => layer.feature(i)));
    expect(features.length).toBeLessThan(1000);
    const counted = features.reduce((sum, { properties }) => sum + Number(properties['_count'] ?? 0), 0);
    // On the embedded engine, before it is prepared, of a sample.
    expect(Math.abs(counted / 30_000 - 1)).toBeLessThan(0.1);
    expect(features.map(({ properties }) => properties['n'])).toContain(99_999);
  });

  test('near by, everything is there', async () => {
    const points = await shown(kit(), '/tiles/crowd/14/8512/5553.mvt');
    expect(points.size).toBeGreaterThan(100);
    const tile = '14/8522/5532';
    const plots = await shown(kit(), `/tiles/plots/${tile}.mvt`);
    expect(plots.size).toBeGreaterThan(100);
  });
});
