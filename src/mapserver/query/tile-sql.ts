// A tile that is planned → the statement that finds what is in it. Two forms: one whose answer is the encoded tile (ST_AsMVT), and one
// whose answer is rows, for the engine that has no encoder (encode-tile.ts makes the tile of them). Pure.

import { MAX_LATITUDE } from '../../geo/bbox.ts';
import { type TileAddress, tileBounds, tileDegrees, tileSpan } from '../../geo/tile.ts';
import type { Bbox, VectorLayer } from '../../layers/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { empty, type Fragment, ident, join, raw, sql } from '../../sql/index.ts';
import { clipped, envelope, inDegrees } from './box-sql.ts';
import { CELL_BITS, cellAt, cellWidth, FINEST_ZOOM, keyType, places } from './grid-sql.ts';
import { type GroupPlan, groupColumns, groupRows } from './group-sql.ts';
import { labelledRows, labelName, labelPoint } from './label-sql.ts';
import { EXTENT, isGeographic, nativePixel, PIXEL } from './layer-scale.ts';
import { columnOf, geometryOf, gisOf, keyOf, overlaps, tableOf } from './layer-sql.ts';
import { looked, thinned } from './thinning.ts';
import { BUFFER, FULL_ZOOM, type TileColumn, type TilePlan } from './tile-plan.ts';
import { allOf, number, type Sql, text, toStatement, whole } from './value.ts';
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

/** What the overview says of a tile: no row where it is not crowded. */
export function crowdStatement({ id }: Pick<VectorLayer, 'id'>, { z, x, y }: TileAddress): Statement {
  return toStatement(
    sql`select n, has_keys, stale from portal.overview_tile(${whole(id)}, ${whole(z)}, ${whole(x)}, ${whole(y)})`,
  );
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
      return labelRows(plan, rows, looked(layer, found.sample), where);
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
      const type = keyType(layer) ?? raw('text');
      // Row by row through the index of the key (`offset 0` keeps it so): the planner would rather read the whole table.
      // The share of those that were chosen is any part of them: their order is as good as random.
      const some =
        found.share < 1 ? sql` limit (select ceil(count(*) * ${number(found.share)})::bigint from chosen)` : empty;
      return sql`with chosen as materialized (${chosen}), c as materialized (select * from chosen${some})
${rows(cellShape(plan))} from c, lateral (select * from ${tableOf(layer)} as f where ${keyOf(layer)} = c.key::${type} offset 0) f`;
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

/** `key`, `n` and `cover` of the features that stand for the others, by the overview; and those that came or changed since, as they are. */
function keptKeys(plan: TilePlan): Sql {
  const { layer, tile } = plan;
  const id = whole(layer.id);
  const type = keyType(layer) ?? raw('text');
  return sql`with fresh as materialized (select key from portal.overview_fresh(${id}))
  select o.key, o.n, o.cover from portal.overview_cells(${id}, ${whole(tile.z)}, ${whole(tile.x)}, ${whole(tile.y)}) o
   where not exists (select from fresh where fresh.key = o.key)
  union all select fresh.key, 1, null from fresh, lateral (select * from ${tableOf(layer)} as f where ${keyOf(layer)} = fresh.key::${type} offset 0) f where ${inTile(plan)}`;
}

/** The same of a tile whose features are looked through. */
function griddedKeys(plan: TilePlan): Sql {
  const { layer, tile } = plan;
  const hasSize = layer.geometry.kind !== 'point';
  // Deeper tiles than the grid knows have its finest cells.
  const zoom = Math.max(0, Math.min(tile.z, FINEST_ZOOM) - coarser(plan));
  const width = number(cellWidth(zoom));
  const cover: Sql = hasSize ? sql`least(sum(area) / (${width} * ${width}), 1)::real` : raw('null::real');
  const dust = sql`select substr(min(hk), 9) as key, count(*)::integer as n, ${cover} as cover from p${hasSize ? sql` where size < ${width}` : empty} group by ${cellAt('px', zoom)}, ${cellAt('py', zoom)}`;
  const large = hasSize ? sql` union all select substr(hk, 9), 1, null from p where size >= ${width}` : empty;
  return sql`with p as materialized (${places(layer, looked(layer, undefined), inTile(plan))}) ${dust}${large}`;
}

function coarser({ source }: TilePlan): number {
  return source.kind === 'gridded' && source.isCoarse ? 1 : 0;
}

/** A point or a line as it is. Areas that are smaller than a cell are a square, as large as what they cover of the cell together. */
function cellShape(plan: TilePlan): Sql {
  const { layer, tile } = plan;
  const source = geometryOf(layer);
  // Of thousands nobody sees the corners that are finer than half a pixel.
  const whole = layer.geometry.kind === 'point' ? drawn(plan, source) : simplified(plan, source, 0.5);
  const { kind } = layer.geometry;
  if (kind === 'point' || kind === 'line') return whole;
  const gis = gisOf(layer);
  const width = tileSpan(tile.z) / 2 ** (CELL_BITS - coarser(plan));
  const middle = toMercator(plan, sql`${gis('st_pointonsurface')}(${source})`);
  // Where areas fill most of a cell they meet those of the next one: no gaps are left between them.
  const half = sql`(case when c.cover > 0.4 then ${number(width / 2)} else greatest(${number(width / 8)}, ${number(width / 2)} * sqrt(c.cover)) end)`;
  const onGrid = sql`(case when c.cover > 0.4 then ${gis('st_translate')}(${gis('st_snaptogrid')}(${gis('st_translate')}(m.p, ${number(-width / 2)}, ${number(-width / 2)}), ${number(width)}), ${number(width / 2)}, ${number(width / 2)}) else m.p end)`;
  const square = sql`(select ${gis('st_expand')}(${onGrid}, ${half}) from (select ${middle} as p) m)`;
  const isArea: Sql = kind === 'mixed' ? sql` and ${gis('st_dimension')}(${source}) = 2` : empty;
  return sql`case when c.cover is not null${isArea} then ${square} else ${whole} end`;
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

function simplified(plan: TilePlan, source: Sql, pixels: number): Sql {
  const tolerance = number(nativePixel(plan.layer, plan.tile.z) * pixels);
  return toMercator(plan, sql`${gisOf(plan.layer)('st_simplify')}(${source}, ${tolerance}, true)`);
}

/** A feature as it is drawn: what is finer than a quarter of a pixel does not show. */
function drawn(plan: TilePlan, source: Sql): Sql {
  const { layer, tile } = plan;
  const gis = gisOf(layer);
  if (layer.geometry.kind === 'point' || tile.z >= FULL_ZOOM) return toMercator(plan, source);
  const simple = sql`${gis('st_simplify')}(${source}, ${number(nativePixel(layer, tile.z) / 4)}, true)`;
  return toMercator(plan, sql`case when ${gis('st_npoints')}(${source}) > 100 then ${simple} else ${source} end`);
}

function toMercator({ layer }: TilePlan, shape: Sql): Sql {
  if (layer.srid === 3857) return shape;
  const north = layer.extent?.wgs84[3] ?? 90;
  const south = layer.extent?.wgs84[1] ?? -90;
  const isPolar = isGeographic(layer) && (north > MAX_LATITUDE || south < -MAX_LATITUDE);
  const world: Bbox = [-540, -MAX_LATITUDE, 540, MAX_LATITUDE];
  const part = isPolar ? clipped(layer, shape, envelope(layer, world, layer.srid)) : shape;
  return sql`${gisOf(layer)('st_transform')}(${part}, 3857)`;
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
      return sql`${column}::double precision`;
    case 'text':
      return sql`${column}::text`;
  }
}

/** The rows of a tile that pass its conditions. */
function inTile(plan: TilePlan): Sql {
  return allOf([nearTile(plan), ...plan.conditions]);
}

function nearTile({ layer, tile }: Pick<TilePlan, 'layer' | 'tile'>): Sql {
  const meets = (box: Sql): Sql => overlaps(layer, geometryOf(layer), box);
  if (layer.srid === 3857) {
    const grow = (BUFFER * tileSpan(tile.z)) / EXTENT;
    const [xmin, ymin, xmax, ymax] = tileBounds(tile);
    return meets(envelope(layer, [xmin - grow, ymin - grow, xmax + grow, ymax + grow], 3857));
  }
  const [west, south, east, north] = tileDegrees(tile);
  const margin = ((east - west) * BUFFER) / EXTENT;
  return inDegrees(
    layer,
    [west - margin, Math.max(-90, south - margin), east + margin, Math.min(90, north + margin)],
    meets,
  );
}
