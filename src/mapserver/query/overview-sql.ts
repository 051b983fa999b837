// An overview of a layer (0061) as statements over temporary tables: places of all features, how many there are in each tile, and for tiles
// with very many one feature per cell, each zoom made of the finer one. They run in one transaction on one connection. Pure.

import type { VectorLayer } from '../../layers/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { empty, type Fragment, ident, inline, join, raw, sql } from '../../sql/index.ts';
import {
  CELL_BITS,
  cellAt,
  cellWidth,
  EDGE_CELLS,
  FINEST_ZOOM,
  MAX_FINE,
  places,
  tileAt,
  tileWidth,
} from './grid-sql.ts';
import { columnOf, tableOf } from './layer-sql.ts';
import { looked } from './thinning.ts';
import { list, number, type Sql, toStatement, value, whole } from './value.ts';

/** Features in a tile from which on they are aggregated. */
export const CROWD = 10_000;
/** From here on it is kept which of them stand for the others: fewer are looked at when the tile is asked for. */
const HEAVY = 50_000;
/** Features of a tile that are larger than a cell: more would not be told apart. */
const MAX_LARGE = 8000;
/** Counted in the rows; those between are summed up. Deeper ones only in tiles that are crowded: most features lie alone there. */
const COUNTED_ZOOMS = [11, 16, FINEST_ZOOM] as const;

const POS: Fragment<never> = raw('survest_overview_pos');

function counts(zoom: number): Fragment<never> {
  return ident(`survest_overview_c${zoom}`);
}

function cells(zoom: number): Fragment<never> {
  return ident(`survest_overview_g${zoom}`);
}

/** As the service, which sees every row. The others run as the role that logged in. */
export function placesStatements(layer: VectorLayer): readonly Statement[] {
  return [
    sql`create temporary table ${POS} on commit drop as ${places(layer, sql`${tableOf(layer)} as f`, sql`true`)}`,
    sql`grant select on ${POS} to public`,
    // A table that was just made looks small to the planner, which would sort where it should hash.
    sql`analyze ${POS}`,
  ].map(plain);
}

/** Tiles of each zoom with the number of their features, and at the end the zooms that have heavy ones. */
export function countStatements(): readonly Statement[] {
  const from = (zoom: number, source: Sql, x: Sql, y: Sql, n: Sql): Sql =>
    sql`create temporary table ${counts(zoom)} on commit drop as select ${x} as x, ${y} as y, ${n} as n from ${source} group by 1, 2`;
  const rolled = (zoom: number): Sql =>
    from(zoom, counts(zoom + 1), raw('x >> 1'), raw('y >> 1'), raw('sum(n)::bigint'));
  const made: Sql[] = [];
  let above: number | undefined;
  for (const zoom of COUNTED_ZOOMS) {
    const source: Sql =
      above === undefined
        ? POS
        : sql`${POS} p where exists (select from ${counts(above)} c where c.n > ${whole(CROWD)} and c.x = ${tileAt('px', above)} and c.y = ${tileAt('py', above)})`;
    made.push(from(zoom, source, tileAt('px', zoom), tileAt('py', zoom), raw('count(*)')));
    for (let coarser = zoom - 1; coarser > (above ?? -1); coarser -= 1) made.push(rolled(coarser));
    above = zoom;
  }
  return made.map(plain);
}

/** One row: the deepest zoom with a heavy tile, or nothing. */
export function deepestHeavyStatement(): Statement {
  const zooms = Array.from({ length: FINEST_ZOOM + 1 }, (_, zoom) => zoom);
  const each = zooms.map(
    (zoom) => sql`select ${whole(zoom)} as z where exists (select from ${counts(zoom)} where n > ${whole(HEAVY)})`,
  );
  return toStatement(sql`select max(z) from (${join(each, ' union all ')}) t`);
}

/** The occupied cells of a zoom, made of those of the next one. Features that fill a cell are not in it, but are drawn themselves. */
export function cellStatements(layer: VectorLayer, zoom: number, isDeepest: boolean): readonly Statement[] {
  const hasSize = layer.geometry.kind !== 'point';
  const width = raw(String(cellWidth(zoom)));
  const ofRows = (condition: Sql): Sql =>
    sql`select ${cellAt('px', zoom)} as cx, ${cellAt('py', zoom)} as cy, 1::bigint as n, hk${hasSize ? raw(', area') : empty} from ${POS}${condition}`;
  const finer = sql`select cx >> 1 as cx, cy >> 1 as cy, n, hk${hasSize ? raw(', area') : empty} from ${cells(zoom + 1)}`;
  const rows: Sql = isDeepest
    ? ofRows(hasSize ? sql<never>` where size < ${width}` : empty)
    : hasSize
      ? sql`${finer} union all ${ofRows(sql<never>` where size >= ${width} / 2.0 and size < ${width}`)}`
      : finer;
  const area: Sql = hasSize ? raw(', sum(area) as area') : empty;
  return [
    plain(
      sql`create temporary table ${cells(zoom)} on commit drop as select cx, cy, sum(n)::bigint as n, min(hk) as hk${area} from (${rows}) r group by 1, 2`,
    ),
  ];
}

/** Puts the crowded tiles of a zoom where tiles are kept, those with very many features with their keys. */
export function keepStatement(layer: VectorLayer, zoom: number, hasCells: boolean): Statement {
  const id = whole(layer.id);
  const keep = (t: Sql, keys: Sql): Sql =>
    sql`select portal.keep_overview_tile(${id}, ${whole(zoom)}, ${t}.x, ${t}.y, ${t}.n, ${keys})`;
  if (!hasCells)
    return toStatement(
      sql`${keep(raw('c'), raw('null, null, null, null'))} from ${counts(zoom)} c where c.n > ${whole(CROWD)}`,
    );
  const hasSize = layer.geometry.kind !== 'point';
  const size = number(cellWidth(zoom) ** 2);
  // Points get cells of half the width where these still fit: the finer they are, the less a crowd looks like a pattern.
  const heavy = sql`${counts(zoom)} c`;
  const bitsOfFine = whole(CELL_BITS + 1);
  const fits: Sql = hasSize
    ? sql`select c.x, c.y, 0 as finer from ${heavy} where c.n > ${whole(HEAVY)}`
    : sql`select c.x, c.y, (m.cells <= ${whole(MAX_FINE)})::integer as finer from ${heavy}
        join (select cx >> ${bitsOfFine} as x, cy >> ${bitsOfFine} as y, count(*) as cells from ${cells(zoom + 1)} group by 1, 2) m on m.x = c.x and m.y = c.y
       where c.n > ${whole(HEAVY)}`;
  const cover: Sql = hasSize ? sql`least(g.area / ${size}, 1)::real` : raw('null::real');
  const inTiles = (finer: 0 | 1): Sql => {
    const bits = whole(CELL_BITS + finer);
    const across = whole(2 ** (CELL_BITS + finer));
    const reach = whole(EDGE_CELLS * 2 ** finer);
    const within = (cell: Sql, tile: Sql): Sql =>
      sql`${cell} between ${tile} * ${across} - ${reach} and (${tile} + 1) * ${across} + ${reach} - 1`;
    // Cells just outside of a tile are found by the tile they are in.
    const around = sql`(select c.x, c.y, c.x + dx as nx, c.y + dy as ny from fits c, generate_series(-1, 1) dx, generate_series(-1, 1) dy where c.finer = ${whole(finer)})`;
    return sql`select t.x, t.y, array_agg(substr(g.hk, 9) order by g.hk) as keys, array_agg(g.n::integer order by g.hk) as counts, array_agg(${cover} order by g.hk) as covers
      from ${around} t join ${cells(zoom + finer)} g on g.cx >> ${bits} = t.nx and g.cy >> ${bits} = t.ny
     where ${within(raw('g.cx'), raw('t.x'))} and ${within(raw('g.cy'), raw('t.y'))} group by 1, 2`;
  };
  const keys = hasSize ? inTiles(0) : sql`${inTiles(0)} union all ${inTiles(1)}`;
  const larges: Sql = hasSize
    ? largesIn(zoom)
    : raw('select null::integer as x, null::integer as y, null::text[] as keys where false');
  return toStatement(sql`with fits as materialized (${fits}), k as materialized (${keys}), l as materialized (${larges})
    ${keep(raw('c'), sql`case when c.n > ${whole(HEAVY)} then coalesce(k.keys, '{}') end, coalesce(k.counts, '{}'), coalesce(k.covers, '{}'), coalesce(l.keys, '{}')`)}
      from ${counts(zoom)} c left join k on k.x = c.x and k.y = c.y left join l on l.x = c.x and l.y = c.y where c.n > ${whole(CROWD)}`);
}

/** The largest features that meet a tile, of those that fill a cell. */
function largesIn(zoom: number): Sql {
  const width = number(tileWidth(zoom));
  const edge = number(EDGE_CELLS * cellWidth(zoom));
  const meets = (place: Sql, tile: Sql): Sql =>
    sql`${place} + size / 2 >= ${tile} * ${width} - ${edge} and ${place} - size / 2 <= (${tile} + 1) * ${width} + ${edge}`;
  return sql`select x, y, array_agg(substr(hk, 9)) as keys from (
      select c.x, c.y, p.hk, row_number() over (partition by c.x, c.y order by p.size desc, p.hk) as place
        from ${counts(zoom)} c join ${POS} p on ${meets(raw('p.px'), raw('c.x'))} and ${meets(raw('p.py'), raw('c.y'))}
       where c.n > ${whole(HEAVY)} and p.size >= ${number(cellWidth(zoom))}) r where place <= ${whole(MAX_LARGE)} group by 1, 2`;
}

export function keepOverviewStatement(layer: VectorLayer, columns: readonly string[], needed: number): Statement {
  return toStatement(sql`select portal.keep_overview(${whole(layer.id)}, ${list(columns)}::text[], ${whole(needed)})`);
}

/** The same overview with other columns. */
export function keepColumnsStatement(layer: VectorLayer, columns: readonly string[], needed: number): Statement {
  return toStatement(
    sql`select portal.keep_overview_columns(${whole(layer.id)}, ${list(columns)}::text[], ${whole(needed)})`,
  );
}

/** How many different values columns have in a sample, at most so many of each looked at. */
export function varietyStatement(layer: VectorLayer, columns: readonly string[], rows: number): Statement {
  const share = Math.min(100, (100 * rows) / Math.max(1, layer.estimatedRows));
  const names = columns.map((name) => sql`left(${columnOf(name)}::text, 100) as ${ident(name)}`);
  const distinct = columns.map((name) => sql`count(distinct ${ident(name)})`);
  return toStatement(
    sql`select ${join(distinct)} from (select ${join(names)} from ${looked(layer, share >= 100 ? undefined : share)} limit ${value(String(2 * rows))}::bigint) s`,
  );
}

/** Tables are not created with parameters. */
function plain(fragment: Sql): Statement {
  return { text: inline(fragment, (param) => param.text), params: [] };
}
