// A layer and a tile → the statement that finds what is in the tile. Two forms of it: one whose answer is the encoded tile
// (ST_AsMVT), and one whose answer is rows, for the engine that has no encoder (encode-tile.ts makes the tile of them). Pure.
//
// Few features are taken as they are. Where a tile would hold more than it can show, features smaller than a pixel are
// dust: of the dust in one pixel one grain is shown, as a square of that size. Of very many features only some pages
// of the table are looked at, the same ones each time.

import { MAX_LATITUDE, meeting } from '../../geo/bbox.ts';
import { type TileAddress, tileBounds, tileDegrees, tileSpan } from '../../geo/tile.ts';
import type { Bbox, LayerColumn, VectorLayer } from '../../layers/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { quoteIdent, quoteLiteral } from '../../sql/index.ts';
import { columnClass } from '../layers/column-class.ts';
import { gisOf, overlaps, tableOf } from './layer-sql.ts';

/** Units across a tile, and how far beyond its edge features are drawn. */
export const EXTENT = 4096;
export const BUFFER = 64;

/** From here on nothing is thinned: what lies in one place can only be told apart by asking. */
const FULL_ZOOM = 14;
/** Features in a tile from which on they are thinned. */
const CROWD = 10_000;
/** Features of a tile that are looked at. */
const MAX_LOOKED_AT = 200_000;
/** Of the 4096 units: MapLibre draws a tile 512 pixels wide. */
const PIXEL = 8;

/** A column of a tile: what it is called, and how it is selected. */
export type TileColumn = { readonly name: string; readonly type: 'integer' | 'number' | 'boolean' | 'text' };

export type TilePlan = {
  readonly layer: VectorLayer;
  readonly tile: TileAddress;
  readonly columns: readonly TileColumn[];
  /** Its values are the ids of the features. */
  readonly hasIds: boolean;
  readonly isThinned: boolean;
  /** Percent of the table's pages; undefined: all. */
  readonly sample: number | undefined;
};

export function planTile(layer: VectorLayer, tile: TileAddress): TilePlan {
  const expected = layer.estimatedRows * shareOf(layer.extent?.wgs84, tileDegrees(tile));
  const isCrowded = tile.z < FULL_ZOOM && expected > CROWD;
  const hasIds = columnClass(layer.keyType) === 'integer';
  return {
    layer,
    tile,
    columns: layer.columns.filter((column) => isShown(column, layer, hasIds)).map(tileColumn),
    hasIds,
    isThinned: isCrowded,
    sample: isCrowded && expected > MAX_LOOKED_AT ? (100 * MAX_LOOKED_AT) / expected : undefined,
  };
}

function isShown({ name, type }: LayerColumn, { primaryKey }: VectorLayer, hasIds: boolean): boolean {
  return columnClass(type) !== 'bytes' && !(hasIds && name === primaryKey);
}

export function tileColumn({ name, type }: LayerColumn): TileColumn {
  const kind = columnClass(type);
  return { name, type: kind === 'integer' || kind === 'number' || kind === 'boolean' ? kind : 'text' };
}

/** How much of the layer's area lies in the tile; all of it where that is not known. */
function shareOf(extent: Bbox | undefined, [west, south, east, north]: Bbox): number {
  if (extent === undefined) return 1;
  const [xmin, ymin, xmax, ymax] = extent;
  const part = (low: number, high: number, from: number, to: number): number =>
    high - low < 1e-9 ? 1 : Math.max(0, Math.min(high, to) - Math.max(low, from)) / (high - low);
  return part(xmin, xmax, west, east) * part(ymin, ymax, south, north);
}

/** One row, one cell: the tile. */
export function encodedTileStatement(plan: TilePlan): Statement {
  const { layer, hasIds } = plan;
  const gis = gisOf(layer);
  const id = hasIds ? `, ${quoteLiteral(idName(plan))}` : '';
  const geometry = (shape: string): string =>
    `${gis('st_asmvtgeom')}(${shape}, ${envelope(plan, 0)}::${gis('box2d')}, ${EXTENT}, ${BUFFER}, true)`;
  return {
    text: `select ${gis('st_asmvt')}(t, ${quoteLiteral(layer.name)}, ${EXTENT}, ${quoteLiteral(geometryName(plan))}${id})
  from (${featureRows(plan, geometry)}) t`,
    params: [],
  };
}

/**
 * Rows of geometry in WKB (in units of the tile's grid, cut to the tile and its edge), id, and the columns of the plan as texts. In the
 * order of ST_AsMVTGeom: first to the grid, then cut.
 */
export function tileRowsStatement(plan: TilePlan): Statement {
  const gis = gisOf(plan.layer);
  const [west, , , north] = tileBounds(plan.tile);
  const scale = EXTENT / tileSpan(plan.tile.z);
  const box = `${gis('st_makeenvelope')}(${-BUFFER}, ${-BUFFER}, ${EXTENT + BUFFER}, ${EXTENT + BUFFER})::${gis('box2d')}`;
  const onGrid = (shape: string): string =>
    `${gis('st_snaptogrid')}(${gis('st_affine')}(${gis('st_force2d')}(${shape}), ${scale}, 0, 0, ${-scale}, ${-west * scale}, ${north * scale}), 1)`;
  const geometry = (shape: string): string =>
    `${gis('st_asbinary')}(${gis('st_clipbybox2d')}(${gis('st_setsrid')}(${onGrid(shape)}, 0), ${box}), 'NDR')`;
  return { text: featureRows(plan, geometry), params: [] };
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

function featureRows(plan: TilePlan, geometry: (shape: string) => string): string {
  const { layer, columns, hasIds, isThinned, sample } = plan;
  const from = `${tableOf(layer)} as f${sample === undefined ? '' : ` tablesample system (${sample.toFixed(6)}) repeatable (1)`}`;
  const source = `f.${quoteIdent(layer.geometry.column)}`;
  const where = inTile(plan, source);
  const selected = [
    ...(hasIds ? [`f.${quoteIdent(layer.primaryKey)} as ${quoteIdent(idName(plan))}`] : []),
    ...columns.map((column) => `${columnValue(column)} as ${quoteIdent(column.name)}`),
  ];
  const rows = (shape: string): string =>
    `select ${[`${geometry(shape)} as ${quoteIdent(geometryName(plan))}`, ...selected].join(', ')}`;
  if (!isThinned) return `${rows(drawn(plan, source))} from ${from} where ${where}`;
  const gis = gisOf(layer);
  const size = nativePixel(plan);
  const isDust =
    layer.geometry.kind === 'point'
      ? 'true'
      : `(${gis('st_xmax')}(${source}) - ${gis('st_xmin')}(${source}) < ${size} and ${gis('st_ymax')}(${source}) - ${gis('st_ymin')}(${source}) < ${size})`;
  const cell = (axis: 'x' | 'y'): string => `floor(${gis(`st_${axis}min`)}(${source}) / ${size})`;
  const key = `f.${quoteIdent(layer.primaryKey)}`;
  // The grain with the smallest key, so that the same one is shown each time.
  const grains = `select distinct on (${cell('x')}, ${cell('y')}) f.* from ${from} where ${where} and ${isDust} order by ${cell('x')}, ${cell('y')}, ${key}`;
  const grain =
    layer.geometry.kind === 'point'
      ? transformed(plan, source)
      : layer.geometry.kind === 'line'
        ? `${gis('st_makeline')}(${corner(plan, source, 0)}, ${corner(plan, source, 1)})`
        : `${gis('st_envelope')}(${gis('st_makeline')}(${corner(plan, source, 0)}, ${corner(plan, source, 1)}))`;
  const dust = `${rows(grain)} from (${grains}) f`;
  return layer.geometry.kind === 'point'
    ? dust
    : `${rows(drawn(plan, source))} from ${from} where ${where} and not ${isDust} union all ${dust}`;
}

/** A corner of the pixel that a grain of dust stands for, in EPSG:3857. */
function corner(plan: TilePlan, source: string, step: number): string {
  const gis = gisOf(plan.layer);
  const point = transformed(plan, `${gis('st_pointonsurface')}(${source})`);
  const shift = (step * PIXEL * tileSpan(plan.tile.z)) / EXTENT;
  return shift === 0 ? point : `${gis('st_translate')}(${point}, ${shift}, ${shift})`;
}

/** A feature as it is drawn: what is finer than a quarter of a pixel does not show. */
function drawn(plan: TilePlan, source: string): string {
  const { layer, tile } = plan;
  const gis = gisOf(layer);
  if (layer.geometry.kind === 'point' || tile.z >= FULL_ZOOM) return transformed(plan, source);
  const tolerance = nativePixel(plan) / 4;
  const simple = `case when ${gis('st_npoints')}(${source}) > 100 then ${gis('st_simplify')}(${source}, ${tolerance}, true) else ${source} end`;
  return transformed(plan, simple);
}

function transformed({ layer }: TilePlan, shape: string): string {
  const gis = gisOf(layer);
  if (layer.srid === 3857) return shape;
  const north = layer.extent?.wgs84[3] ?? 90;
  const south = layer.extent?.wgs84[1] ?? -90;
  const isPolar = isGeographic(layer) && (north > MAX_LATITUDE || south < -MAX_LATITUDE);
  const box = `${gis('st_makeenvelope')}(-540, -${MAX_LATITUDE}, 540, ${MAX_LATITUDE}, ${layer.srid})::${gis('box2d')}`;
  return `${gis('st_transform')}(${isPolar ? `${gis('st_clipbybox2d')}(${shape}, ${box})` : shape}, 3857)`;
}

function isGeographic({ srid }: VectorLayer): boolean {
  return GEOGRAPHIC.has(srid);
}

/** Degrees on the common datums; what is not here is transformed as it is. */
const GEOGRAPHIC: ReadonlySet<number> = new Set([4326, 4258, 4269, 4267, 4283, 7844, 4674, 4171, 4979, 4230, 4314]);

function columnValue({ name, type }: TileColumn): string {
  const column = `f.${quoteIdent(name)}`;
  switch (type) {
    case 'integer':
    case 'boolean':
      return column;
    case 'number':
      return `${column}::double precision`;
    case 'text':
      return `${column}::text`;
  }
}

/** The tile in EPSG:3857, grown by units of its grid. */
function envelope({ layer, tile }: TilePlan, margin: number): string {
  const grow = (margin * tileSpan(tile.z)) / EXTENT;
  const [xmin, ymin, xmax, ymax] = tileBounds(tile);
  return `${gisOf(layer)('st_makeenvelope')}(${xmin - grow}, ${ymin - grow}, ${xmax + grow}, ${ymax + grow}, 3857)`;
}

function inTile({ layer, tile }: TilePlan, source: string): string {
  const gis = gisOf(layer);
  const grow = (BUFFER * tileSpan(tile.z)) / EXTENT;
  if (layer.srid === 3857) {
    const [xmin, ymin, xmax, ymax] = tileBounds(tile);
    const box = [xmin - grow, ymin - grow, xmax + grow, ymax + grow];
    return overlaps(layer, source, `${gis('st_makeenvelope')}(${box.join(', ')}, 3857)`);
  }
  const [west, south, east, north] = tileDegrees(tile);
  const margin = ((east - west) * BUFFER) / EXTENT;
  const degrees: Bbox = [west - margin, Math.max(-90, south - margin), east + margin, Math.min(90, north + margin)];
  if (layer.srid === 4326) return overlaps(layer, source, `${gis('st_makeenvelope')}(${degrees.join(', ')}, 4326)`);
  const box = meeting(degrees, layer.extent?.wgs84);
  // Few systems are defined everywhere: only the part of the tile where the layer is can be told in its own.
  if (box === undefined) return 'false';
  if (box === 'everything') return `${source} is not null`;
  const step = Math.max(box[2] - box[0], box[3] - box[1]) / 8;
  const native = `${gis('st_transform')}(${gis('st_segmentize')}(${gis('st_makeenvelope')}(${box.join(', ')}, 4326), ${step}), ${layer.srid})`;
  return overlaps(layer, source, native);
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
