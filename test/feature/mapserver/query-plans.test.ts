// Statements with parameters find the indexes that statements with literals find: boxes, tiles, keys, on both engines and as a visitor,
// with the layer's policies.

import { beforeAll, expect, test } from 'vitest';
import { VISITOR } from '../../../src/auth/caller.ts';
import { makeCallerDb } from '../../../src/auth/caller-db.ts';
import type { VectorLayer } from '../../../src/layer-ports/layer.ts';
import { boxCondition, countStatement, keysCondition, wholeLayer } from '../../../src/mapserver/query/feature-query.ts';
import { WGS84 } from '../../../src/mapserver/query/known-crs.ts';
import { wholeTile } from '../../../src/mapserver/query/tile-plan.ts';
import { tileRowsStatement } from '../../../src/mapserver/query/tile-sql.ts';
import type { Sql } from '../../../src/mapserver/query/value.ts';
import type { Statement } from '../../../src/pg/driver.ts';
import { describeStatement } from '../../../src/portal/layers/describe-layers.ts';
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
    const executed = await db.read(VISITOR, info, [{ text: `explain ${text}`, params }]);
    if (!executed.ok) throw new Error(JSON.stringify(executed.error));
    return (executed.value[0]?.rows ?? []).map(([line]) => line?.toString()).join('\n');
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
      (layer: VectorLayer) => tileRowsStatement(wholeTile(layer, { z: 9, x: 268, y: 240 })),
      'geom_idx',
    ],
    [
      'a tile of a layer in another system',
      'pins',
      (layer: VectorLayer) => tileRowsStatement(wholeTile(layer, { z: 12, x: 2139, y: 1423 })),
      'geom_idx',
    ],
    ['keys', 'dots', (layer: VectorLayer) => countIn(layer, keysCondition(layer, ['5', '7'])), 'dots_pkey'],
  ])('%s is found by an index', async (_case, name, statementFor, index) => {
    const plan = await planOf(name, statementFor);
    expect(plan).toContain(index);
    expect(plan).not.toContain('Seq Scan on dots');
    expect(plan).not.toContain('Seq Scan on pins');
  });

  test('a partitioned layer is drawn by the indexes of its partitions, edited and described; nothing made of it is kept', async () => {
    await makeLayer(kit(), {
      name: 'pieces',
      columns: 'n integer',
      geometry: 'Point',
      partitions: 2,
      rows: `insert into $table (n, geom) select n, st_setsrid(st_makepoint(n % 300 - 150, n / 300 - 50), 4326) from generate_series(1, 30000) n`,
    });
    const plan = await planOf('pieces', (layer) => tileRowsStatement(wholeTile(layer, { z: 9, x: 268, y: 240 })));
    expect(plan).toContain('pieces_0_geom_idx');
    expect(plan).toContain('pieces_1_geom_idx');
    const ada = kit().portal.as('ada');
    const feature = { type: 'Feature', properties: { n: 1 }, geometry: { type: 'Point', coordinates: [1, 1] } };
    const made = await ada.post('/ogc/collections/pieces/items', feature, { 'content-type': 'application/geo+json' });
    expect(made).toMatchReply({ status: 201, json: { id: 30001 } });
    expect(await ada.get('/tiles/pieces/0/0/0.pbf')).toMatchReply({ status: 200 });
    expect(await ada.get('/ogc/collections/pieces/aggregates')).toMatchReply({
      json: expect.objectContaining({ count: 30001 }),
    });
    // Who writes into a partition by its own name passes the triggers of the table by.
    const found = await makeLayerAccess(kit().callerDb).find(VISITOR, { method: 'GET', path: '/' }, 'pieces');
    expect(found).toMatchObject({ ok: true, value: { cacheable: false } });
  });

  test('permissions are asked of the layer that a REST request is about, and of its columns together, however many layers there are', async () => {
    // Tables are looked for by name alone: these have none.
    await kit().db.query(
      `with made as (insert into portal.resource (resource_type, owner_id, title, name)
         select 'layer', (select min(a.id) from portal.account a where a.id > 0), 'Layer ' || n, 'many_' || n from generate_series(1, 50) n returning id, name)
       insert into portal_private.layer_table (resource_id, table_name) select id, name from made`,
    );
    await kit().db.script('analyze portal_private.layer_table');
    const [dots] = await kit().db.query<{ id: number }>(`select id from portal.resource where name = 'dots'`);
    const ids = [dots?.id ?? 0];
    expect(
      await callsIn('may', {
        text: `select portal.visible_relations(array['layers.dots']::regclass[], true)`,
        params: [],
      }),
    ).toBeLessThan(5);
    expect(await callsIn('layer_key', describeStatement(ids, 'public', 'public'))).toBe(1);
  });

  /** How often a function is called in a statement of a visitor. */
  async function callsIn(name: string, statement: Statement): Promise<number> {
    const held = await kit().db.driver.hold(async (session) => {
      const executed = await session.execute([
        { text: 'begin', params: [] },
        { text: `select set_config('track_functions', 'all', true)`, params: [] },
        {
          text: `select set_config('role', 'survest_anon', true), set_config('request.jwt.claims', '{"role":"survest_anon"}', true), set_config('request.method', 'GET', true)`,
          params: [],
        },
        statement,
        { text: `select set_config('role', 'none', true)`, params: [] },
        {
          text: `select coalesce(sum(calls), 0) from pg_stat_xact_user_functions where schemaname = 'portal' and funcname = $1`,
          params: [name],
        },
        { text: 'rollback', params: [] },
      ]);
      if (!executed.ok) throw new Error(JSON.stringify(executed.error));
      return Number(executed.value[5]?.rows[0]?.[0]?.toString());
    });
    if (!held.ok) throw new Error(held.error.kind);
    return held.value;
  }
});

function countIn(layer: VectorLayer, condition: Sql): Statement {
  return countStatement({ ...wholeLayer(layer, WGS84), conditions: [condition] });
}
