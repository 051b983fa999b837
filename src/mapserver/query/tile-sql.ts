// The plan of a tile → the statement that finds its features: encoded by the database (ST_AsMVT), or as rows for our own encoder. Pure.

import { MAX_LATITUDE } from '../../geo/bbox.ts';
import { type TileAddress, tileBounds, tileDegrees, tileSpan } from '../../geo/tile.ts';
import type { Bbox, VectorLayer } from '../../layer-ports/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { empty, type Fragment, ident, join, sql } from '../../sql/index.ts';
import { clipped, envelope, inDegrees } from './box-sql.ts';
import { cellSize, indexedSize, inShare, sizeConditions } from './cells-sql.ts';
import { labelledRows, labelName, labelPoint } from './label-sql.ts';
import { EXTENT, isGeographic, nativePixel } from './layer-scale.ts';
import { columnOf, geometryOf, gisOf, keyOf, overlaps, tableOf } from './layer-sql.ts';
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

/** Rows by their keys, with the columns of the plan as texts: the key, then id and columns as in a tile. */
export function keyedRowsStatement(plan: TilePlan, keys: Sql, type: Sql): Statement {
  const { layer } = plan;
  const selected = [sql`${keyOf(layer)}::text`, ...selectedOf(plan)];
  return toStatement(
    sql`select ${join(selected)} from ${tableOf(layer)} as f where ${keyOf(layer)} = any(${keys}::${type}[])`,
  );
}

/** How many rows of the whole layer pass; no more are counted than one above `most`. */
export function passingStatement(
  { layer, conditions }: Pick<TilePlan, 'layer' | 'conditions'>,
  most: number,
): Statement {
  return toStatement(
    sql`select count(*) from (select from ${tableOf(layer)} as f where ${allOf([sql`true`, ...conditions])} limit ${whole(most + 1)}) f`,
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

function selectedOf(plan: TilePlan): readonly Sql[] {
  return [
    ...(plan.hasIds ? [sql<never>`${keyOf(plan.layer)} as ${ident(idName(plan))}` as Fragment<never>] : []),
    ...plan.columns.map((column) => sql`${columnValue(column)} as ${ident(column.name)}`),
  ];
}

function featureRows(plan: TilePlan, geometry: (shape: Sql) => Sql): Sql {
  const { layer, source, tile } = plan;
  const rows = (shape: Sql): Sql =>
    sql`select ${join([sql`${geometry(shape)} as ${ident(geometryName(plan))}`, ...selectedOf(plan)])}`;
  const where = inTile(plan);
  const table = sql`${tableOf(layer)} as f`;
  switch (source.kind) {
    case 'all':
      return sql`${rows(drawn(plan, geometryOf(layer)))} from ${table} where ${where}`;
    case 'labels':
      return labelRows(plan, rows, table, allOf([where, ...largeByIndex(plan, nativePixel(layer, tile.z))]));
    case 'large': {
      const size = cellSize(layer, tile.z);
      const large = [
        ...largeByIndex(plan, size),
        ...sizeConditions(layer, { least: size }),
        ...inShare(layer, source.share),
      ];
      return sql`${rows(drawn(plan, geometryOf(layer)))} from ${table} where ${allOf([where, ...large])}`;
    }
  }
}

/** Of a summary: the condition of an index that has large features alone. */
function largeByIndex({ layer: { overview }, layer, tile }: TilePlan, size: number): readonly Sql[] {
  return overview !== undefined && tile.z <= overview.summaryTo ? [indexedSize(layer, size, overview.summaryTo)] : [];
}

/** Rows whose box meets the tile and its edge, and that pass. */
function inTile({ layer, tile, conditions }: TilePlan): Sql {
  return allOf([nearTile(layer, tile), ...conditions]);
}

function nearTile(layer: VectorLayer, tile: TileAddress): Sql {
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

/** A feature as it is drawn: what is finer than a quarter of a pixel does not show. */
function drawn({ layer, tile }: TilePlan, source: Sql): Sql {
  const gis = gisOf(layer);
  if (layer.geometry.kind === 'point' || tile.z >= FULL_ZOOM) return toMercator(layer, source);
  const simple = sql`${gis('st_simplify')}(${source}, ${number(nativePixel(layer, tile.z) / 4)}, true)`;
  return toMercator(layer, sql`case when ${gis('st_npoints')}(${source}) > 20 then ${simple} else ${source} end`);
}

function toMercator(layer: VectorLayer, shape: Sql): Sql {
  if (layer.srid === 3857) return shape;
  const north = layer.extent?.wgs84[3] ?? 90;
  const south = layer.extent?.wgs84[1] ?? -90;
  const isPolar = isGeographic(layer) && (north > MAX_LATITUDE || south < -MAX_LATITUDE);
  const world: Bbox = [-540, -MAX_LATITUDE, 540, MAX_LATITUDE];
  const part = isPolar ? clipped(layer, shape, envelope(layer, world, layer.srid)) : shape;
  return sql`${gisOf(layer)('st_transform')}(${part}, 3857)`;
}

/** A point is in the tile that has it between its left and upper edge and the others, so that no name comes twice. */
function labelRows(plan: TilePlan, rows: (shape: Sql) => Sql, from: Sql, where: Sql): Sql {
  const { layer, tile } = plan;
  const gis = gisOf(layer);
  const name = ident(labelName(layer));
  const point = toMercator(layer, labelPoint(layer, withoutCurves(layer, geometryOf(layer))));
  const large = labelledRows(layer, from, where, tile.z < FULL_ZOOM ? nativePixel(layer, tile.z) : undefined);
  const [west, south, east, north] = tileBounds(tile).map(number) as [Sql, Sql, Sql, Sql];
  const [x, y] = [sql`${gis('st_xmin')}(f.${name})`, sql`${gis('st_ymin')}(f.${name})`];
  return sql`${rows(sql`f.${name}`)} from (select f.*, ${point} as ${name} from (${large}) f) f where ${x} >= ${west} and ${x} < ${east} and ${y} > ${south} and ${y} <= ${north}`;
}

function columnValue({ name, type }: TileColumn): Sql {
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
