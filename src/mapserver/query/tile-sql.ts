// A tile that is planned → the statement that finds what is in it. Two forms: one whose answer is the encoded tile (ST_AsMVT), and one
// whose answer is rows, for the engine that has no encoder (encode-tile.ts makes the tile of them). Pure.

import { MAX_LATITUDE } from '../../geo/bbox.ts';
import { tileBounds, tileDegrees, tileSpan } from '../../geo/tile.ts';
import type { Bbox, VectorLayer } from '../../layers/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { empty, ident, join, sql } from '../../sql/index.ts';
import { clipped, envelope, inDegrees } from './box-sql.ts';
import { labelledRows, labelName, labelPoint } from './label-sql.ts';
import { columnOf, geometryOf, gisOf, keyOf, overlaps } from './layer-sql.ts';
import { looked, thinned } from './thinning.ts';
import { BUFFER, EXTENT, FULL_ZOOM, PIXEL, type TileColumn, type TilePlan } from './tile-plan.ts';
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
  const { layer, columns, hasIds, isThinned, sample } = plan;
  const source = geometryOf(layer);
  const selected: Sql[] = [
    ...(hasIds ? [sql<never>`${keyOf(layer)} as ${ident(idName(plan))}`] : []),
    ...columns.map((column) => sql`${columnValue(column)} as ${ident(column.name)}`),
  ];
  const rows = (shape: Sql): Sql =>
    sql`select ${join([sql`${geometry(shape)} as ${ident(geometryName(plan))}`, ...selected])}`;
  const from = looked(layer, sample);
  const where = inTile(plan);
  if (plan.labels) return labelRows(plan, rows, from, where);
  if (!isThinned) return sql`${rows(drawn(plan, source))} from ${from} where ${where}`;
  const size = nativePixel(plan);
  const { large, grains } = thinned({ layer, from, where, columns: sql`f.*`, pixel: [size, size], most: undefined });
  const dust = sql`${rows(grain(plan))} from (${grains}) f`;
  return large === undefined ? dust : sql`${rows(drawn(plan, source))} from (${large}) f union all ${dust}`;
}

/** A point is in the tile that has it between its left and upper edge and the others, so that no name comes twice. */
function labelRows(plan: TilePlan, rows: (shape: Sql) => Sql, from: Sql, where: Sql): Sql {
  const { layer, tile } = plan;
  const gis = gisOf(layer);
  const name = ident(labelName(layer));
  const point = toMercator(plan, labelPoint(layer, withoutCurves(layer, geometryOf(layer))));
  const large = labelledRows(layer, from, where, tile.z < FULL_ZOOM ? nativePixel(plan) : undefined);
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

/** A feature as it is drawn: what is finer than a quarter of a pixel does not show. */
function drawn(plan: TilePlan, source: Sql): Sql {
  const { layer, tile } = plan;
  const gis = gisOf(layer);
  if (layer.geometry.kind === 'point' || tile.z >= FULL_ZOOM) return toMercator(plan, source);
  const simple = sql`${gis('st_simplify')}(${source}, ${number(nativePixel(plan) / 4)}, true)`;
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

function isGeographic({ srid }: VectorLayer): boolean {
  return GEOGRAPHIC.has(srid);
}

/** Degrees on the common datums; what is not here is transformed as it is. */
const GEOGRAPHIC: ReadonlySet<number> = new Set([4326, 4258, 4269, 4267, 4283, 7844, 4674, 4171, 4979, 4230, 4314]);

function columnValue({ name, type }: TileColumn): Sql {
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

function inTile({ layer, tile }: TilePlan): Sql {
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

/** A pixel of the tile in the units of the layer's system. */
function nativePixel({ layer, tile }: TilePlan): number {
  const metres = (PIXEL * tileSpan(tile.z)) / EXTENT;
  if (layer.srid === 3857) return metres;
  const { extent } = layer;
  const degrees = (metres * 180) / 20_037_508.342_789_244;
  if (isGeographic(layer) || extent === undefined) return degrees;
  const width = extent.wgs84[2] - extent.wgs84[0];
  // The scale between the two extents; a layer of one place has none, and metres are the best guess.
  return width > 1e-9 ? (degrees * (extent.native[2] - extent.native[0])) / width : metres;
}
