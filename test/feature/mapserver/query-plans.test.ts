// Statements with parameters find the indexes that statements with literals find: boxes, tiles, keys, on both engines and as a visitor,
// with the layer's policies.

import { beforeAll, expect, test } from 'vitest';
import { VISITOR } from '../../../src/auth/caller.ts';
import { makeCallerDb } from '../../../src/auth/caller-db.ts';
import type { VectorLayer } from '../../../src/layers/layer.ts';
import { boxCondition, countStatement, keysCondition, wholeLayer } from '../../../src/mapserver/query/feature-query.ts';
import { WGS84 } from '../../../src/mapserver/query/known-crs.ts';
import { planTile } from '../../../src/mapserver/query/tile-plan.ts';
import { tileRowsStatement } from '../../../src/mapserver/query/tile-sql.ts';
import type { Sql } from '../../../src/mapserver/query/value.ts';
import type { Statement } from '../../../src/pg/driver.ts';
import { makeLayerAccess } from '../../../src/portal/layers/layer-access.ts';
import { makeLayer, onLayers } from './layer-kit.ts';

onLayers('plans of layers’ statements', {}, (kit) => {
  beforeAll(async () => {
    await makeLayer(kit(), {
      name: 'dots',
      columns: 'n integer',
      geometry: 'Point',
      rows: `insert into $table (n, geom) select n, st_setsrid(st_makepoint(n % 300 - 150, n / 300 - 50), 4326) from generate_series(1, 30000) n`,
    });
    await makeLayer(kit(), {
      name: 'pins',
      columns: 'n integer',
      geometry: 'Point',
      srid: 25832,
      rows: `insert into $table (n, geom) select n, st_setsrid(st_makepoint(300000 + n % 300 * 1000, 5300000 + n / 300 * 1000), 25832) from generate_series(1, 30000) n`,
    });
  });

  const planOf = async (name: string, statementFor: (layer: VectorLayer) => Statement): Promise<string> => {
    const db = makeCallerDb(kit().db.driver);
    const info = { method: 'GET', path: '/' };
    const layer = await makeLayerAccess(db).find(VISITOR, info, name);
    if (!layer.ok || layer.value.kind !== 'vector') throw new Error(`no layer ${name}`);
    const { text, params } = statementFor(layer.value);
    const flown = await db.read(VISITOR, info, [{ text: `explain ${text}`, params }]);
    if (!flown.ok) throw new Error(JSON.stringify(flown.error));
    return (flown.value[0]?.rows ?? []).map(([line]) => line?.toString()).join('\n');
  };

  test.each([
    ['a box', 'dots', (layer: VectorLayer) => countIn(layer, boxCondition(layer, [8, 10, 9, 11], WGS84)), 'geom_idx'],
    [
      'a box in another system',
      'pins',
      (layer: VectorLayer) => countIn(layer, boxCondition(layer, [8, 48, 8.1, 48.1], WGS84)),
      'geom_idx',
    ],
    [
      'a tile',
      'dots',
      (layer: VectorLayer) => tileRowsStatement(planTile(layer, { z: 9, x: 268, y: 240 })),
      'geom_idx',
    ],
    [
      'a tile of a layer in another system',
      'pins',
      (layer: VectorLayer) => tileRowsStatement(planTile(layer, { z: 12, x: 2139, y: 1423 })),
      'geom_idx',
    ],
    ['keys', 'dots', (layer: VectorLayer) => countIn(layer, keysCondition(layer, ['5', '7'])), 'dots_pkey'],
  ])('%s is found by an index', async (_case, name, statementFor, index) => {
    const plan = await planOf(name, statementFor);
    expect(plan).toContain(index);
    expect(plan).not.toContain('Seq Scan on dots');
    expect(plan).not.toContain('Seq Scan on pins');
  });
});

function countIn(layer: VectorLayer, condition: Sql): Statement {
  return countStatement({ ...wholeLayer(layer, WGS84), conditions: [condition] });
}
