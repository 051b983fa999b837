import { type TileAddress, tileBounds, tileSpan } from '../../geo/tile.ts';
import type { VectorLayer } from '../../layers/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { empty, type Fragment, ident, join, raw, sql } from '../../sql/index.ts';
import { clipped, envelope } from './box-sql.ts';
import { cellShape, drawn, griddedKeys, inTile, keptKeys, toMercator } from './crowd-sql.ts';
import { keyType } from './grid-sql.ts';
import { type GroupPlan, groupColumns, groupRows } from './group-sql.ts';
import { labelledRows, labelName, labelPoint } from './label-sql.ts';
import { EXTENT, nativePixel, PIXEL } from './layer-scale.ts';
import { columnOf, geometryOf, gisOf, keyOf, tableOf } from './layer-sql.ts';
import { looked, thinned } from './thinning.ts';
import { BUFFER, FULL_ZOOM, type TileColumn, type TilePlan } from './tile-plan.ts';
import { number, type Sql, text, toStatement, whole } from './value.ts';
import { withoutCurves } from './view-sql.ts';

/** One row, one cell: the tile. */
export function encodedTileStatement(plan: TilePlan): Statement {
  const { layer, tile, hasIds } = plan;
  const gis = gisOf(layer);
  const id = hasIds ? sql`, ${text(idName(plan))}` : empty;
  const bounds = envelope(layer, tileBounds(tile), 3857);
  const geometry = (shape: Sql): Sql =>
    sql`${gis('st_asmvtgeom')}(${shape}, ${bounds}::${gis('box2d')}, ${whole(EXTENT)}, ${whole(BUFFER)}, true)`;
  return toStatement(
    sql`select ${gis('st_asmvt')}(t, ${text(layer.name)}, ${whole(EXTENT)}, ${text(geometryName(plan))}${id})
  from (${featureRows(plan, geometry)}) t`,
  );
}

/**
 * Rows of geometry in WKB (in units of the tile's grid, cut to the tile and its edge), id, and the columns of the plan as texts. In the
 * order of ST_AsMVTGeom: first to the grid, then cut.
 */
export function tileRowsStatement(plan: TilePlan): Statement {
  const { layer, tile } = plan;
  const gis = gisOf(layer);
  const [west, , , north] = tileBounds(tile);
  const scale = EXTENT / tileSpan(tile.z);
  const box = envelope(layer, [-BUFFER, -BUFFER, EXTENT + BUFFER, EXTENT + BUFFER]);
  const [across, down, left, top] = [scale, -scale, -west * scale, north * scale].map(number) as [Sql, Sql, Sql, Sql];
  const onGrid = (shape: Sql): Sql =>
    sql`${gis('st_snaptogrid')}(${gis('st_affine')}(${gis('st_force2d')}(${shape}), ${across}, 0, 0, ${down}, ${left}, ${top}), 1)`;
  const geometry = (shape: Sql): Sql =>
    sql`${gis('st_asbinary')}(${clipped(layer, sql`${gis('st_setsrid')}(${onGrid(shape)}, 0)`, box)}, 'NDR')`;
  return toStatement(featureRows(plan, geometry));
}

/** What the overview says of a tile: no row where it is not crowded. Of areas also how many it keeps. */
export function crowdStatement({ id, geometry }: Pick<VectorLayer, 'id' | 'geometry'>, tile: TileAddress): Statement {
  const at = sql`${whole(id)}, ${whole(tile.z)}, ${whole(tile.x)}, ${whole(tile.y)}`;
  const kept: Sql =
    geometry.kind === 'polygon'
      ? sql`case when has_keys then (select count(*) from portal.overview_cells(${at})) end`
      : raw('null');
  return toStatement(sql`select n, has_keys, stale, ${kept} from portal.overview_tile(${at})`);
}

/** How many rows of a tile pass; no more are counted than one above `most`. */
export function passingStatement(plan: TilePlan, most: number): Statement {
  return toStatement(
    sql`select count(*) from (select from ${looked(plan.layer, undefined)} where ${inTile(plan)} limit ${whole(most + 1)}) f`,
  );
}

/** Names that no column has: columns of a layer may be called anything. */
function idName({ columns }: TilePlan): string {
  return freeName('id', columns);
}

function geometryName({ columns }: TilePlan): string {
  return freeName('geometry', columns);
}

function freeName(name: string, columns: readonly TileColumn[]): string {
  return columns.some((column) => column.name === name) ? freeName(`_${name}`, columns) : name;
}

function featureRows(plan: TilePlan, geometry: (shape: Sql) => Sql): Sql {
  const { layer, columns, hasIds, source: found } = plan;
  if (found.kind === 'grouped') return groupedRows(plan, found.plan, geometry);
  const source = geometryOf(layer);
  const selected: Sql[] = [
    ...(hasIds ? [sql<never>`${idOf(plan)} as ${ident(idName(plan))}`] : []),
    ...columns.map((column) => sql`${columnValue(column)} as ${ident(column.name)}`),
  ];
  const rows = (shape: Sql): Sql =>
    sql`select ${join([sql`${geometry(shape)} as ${ident(geometryName(plan))}`, ...selected])}`;
  const where = inTile(plan);
  switch (found.kind) {
    case 'all':
      return sql`${rows(drawn(plan, source))} from ${looked(layer, undefined)} where ${where}`;
    case 'labels':
      return labelRows(plan, rows, found.sample === 'kept' ? keptAreas(plan) : looked(layer, found.sample), where);
    case 'thinned': {
      const size = nativePixel(layer, plan.tile.z);
      const from = looked(layer, found.sample);
      const { large, grains } = thinned({
        layer,
        from,
        where,
        columns: sql`f.*`,
        pixel: [size, size],
        most: undefined,
      });
      const dust = sql`${rows(grain(plan))} from (${grains}) f`;
      return large === undefined ? dust : sql`${rows(drawn(plan, source))} from (${large}) f union all ${dust}`;
    }
    case 'gridded':
    case 'kept': {
      const chosen = found.kind === 'kept' ? keptKeys(plan) : griddedKeys(plan);
      // The share of those that were chosen is any part of them: their order is as good as random.
      const some =
        found.share < 1 ? sql` limit (select ceil(count(*) * ${number(found.share)})::bigint from chosen)` : empty;
      return sql`with chosen as materialized (${chosen}), c as materialized (select * from chosen${some})
${rows(cellShape(plan))} from c, ${byKey(layer)}`;
    }
  }
}

function groupedRows(plan: TilePlan, groups: GroupPlan, geometry: (shape: Sql) => Sql): Sql {
  const { layer, columns, hasIds } = plan;
  const own = groupColumns(groups.group).length;
  const named = columns.map(
    (column, i) => sql`${i < own ? ident('g', `c${i}`) : columnValue(column)} as ${ident(column.name)}`,
  );
  const selected = [
    sql`${geometry(raw('g.shape'))} as ${ident(geometryName(plan))}`,
    ...(hasIds ? [sql<never>`${keyOf(layer)} as ${ident(idName(plan))}`] : []),
    ...named,
  ];
  const row: Sql =
    columns.length > own || hasIds
      ? sql` left join lateral (select * from ${tableOf(layer)} as f where ${keyOf(layer)} = g.k::${keyType(layer) ?? raw('text')} offset 0) f on g.c0 = 1`
      : empty;
  return sql`select ${join(selected)} from (${groupRows(groups)}) g${row}`;
}

/** What stands for several areas has the id of none. */
function idOf({ layer, source }: TilePlan): Fragment<never> {
  const isMerged = layer.geometry.kind !== 'point' && (source.kind === 'kept' || source.kind === 'gridded');
  return isMerged ? sql<never>`case when c.cover is null or c.n = 1 then ${keyOf(layer)} end` : keyOf(layer);
}

/** The areas of a crowd that are drawn as they are, as `f`: what is merged with others has no room for a name. */
function keptAreas(plan: TilePlan): Sql {
  const { layer } = plan;
  return sql`(with c as materialized (${keptKeys(plan)}) select f.* from c, ${byKey(layer)} where c.cover is null) as f`;
}

/** Row by row through the index of the key (`offset 0` keeps it so): the planner would rather read the whole table. */
function byKey(layer: VectorLayer): Sql {
  return sql`lateral (select * from ${tableOf(layer)} as f where ${keyOf(layer)} = c.key::${keyType(layer) ?? raw('text')} offset 0) f`;
}

/** A point is in the tile that has it between its left and upper edge and the others, so that no name comes twice. */
function labelRows(plan: TilePlan, rows: (shape: Sql) => Sql, from: Sql, where: Sql): Sql {
  const { layer, tile } = plan;
  const gis = gisOf(layer);
  const name = ident(labelName(layer));
  const point = toMercator(plan, labelPoint(layer, withoutCurves(layer, geometryOf(layer))));
  const large = labelledRows(layer, from, where, tile.z < FULL_ZOOM ? nativePixel(layer, tile.z) : undefined);
  const [west, south, east, north] = tileBounds(tile).map(number) as [Sql, Sql, Sql, Sql];
  const [x, y] = [sql`${gis('st_xmin')}(f.${name})`, sql`${gis('st_ymin')}(f.${name})`];
  return sql`${rows(sql`f.${name}`)} from (select f.*, ${point} as ${name} from (${large}) f) f where ${x} >= ${west} and ${x} < ${east} and ${y} > ${south} and ${y} <= ${north}`;
}

/** Of the dust in a pixel: a point as it is, a line across the pixel, anything else as the pixel. */
function grain(plan: TilePlan): Sql {
  const { layer } = plan;
  const source = geometryOf(layer);
  if (layer.geometry.kind === 'point') return toMercator(plan, source);
  const gis = gisOf(layer);
  const across = sql`${gis('st_makeline')}(${corner(plan, source, 0)}, ${corner(plan, source, 1)})`;
  return layer.geometry.kind === 'line' ? across : sql`${gis('st_envelope')}(${across})`;
}

/** A corner of the pixel that a grain of dust stands for, in EPSG:3857. */
function corner(plan: TilePlan, source: Sql, step: number): Sql {
  const gis = gisOf(plan.layer);
  const point = toMercator(plan, sql`${gis('st_pointonsurface')}(${source})`);
  if (step === 0) return point;
  const shift = number((step * PIXEL * tileSpan(plan.tile.z)) / EXTENT);
  return sql`${gis('st_translate')}(${point}, ${shift}, ${shift})`;
}

function columnValue({ name, type, isCount }: TileColumn): Sql {
  // What stands for itself alone says nothing, as a point of MapLibre that is no cluster.
  if (isCount) return raw('nullif(c.n, 1)');
  const column = columnOf(name);
  switch (type) {
    case 'integer':
    case 'boolean':
      return column;
    case 'number':
      // What is no number is no value: viewers would draw it in the lowest class.
      return sql`nullif(${column}::double precision, 'NaN')`;
    case 'text':
      return sql`${column}::text`;
  }
}
