// A layer and a view → the statement that finds what is to be seen: geometries in pixels of the picture, as fine as these are, and the
// columns the style asks for. Pure.
//
// Where the view holds more features than it has room for, those smaller than a pixel are dust: one grain of it is drawn in
// each pixel. Of very many, only some pages of the table are looked at, the same ones each time.

import { type Box, growBox } from '../../geo/projection.ts';
import type { View } from '../../geo/view.ts';
import type { LayerColumn, VectorLayer } from '../../layers/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { quoteIdent } from '../../sql/index.ts';
import { columnClass } from '../layers/column-class.ts';
import { timeColumnsOf } from '../layers/time-columns.ts';
import { gisOf, overlaps, tableOf } from './layer-sql.ts';
import { meetsSpan } from './time-sql.ts';

/** Features in a view from which on they are thinned. */
const CROWD = 20_000;
/** Features that are looked at when they are thinned. */
const MAX_LOOKED_AT = 500_000;
/** Features that are drawn, unless the picture is one for which fewer do. */
export const MAX_DRAWN = 60_000;

export type FeaturePlan = {
  readonly layer: VectorLayer;
  readonly view: View;
  /** The view, with a margin, in the layer's own system. */
  readonly box: Box;
  readonly columns: readonly LayerColumn[];
  readonly isThinned: boolean;
  /** So many are drawn at most. */
  readonly most: number;
  /** When features are, in text that PostgreSQL reads; undefined: always. */
  readonly time: TimeSpan | undefined;
};

export type TimeSpan = { readonly from: string; readonly to: string };

export function planFeatures(
  layer: VectorLayer,
  view: View,
  box: Box,
  columns: ReadonlySet<string>,
  time: TimeSpan | undefined,
  most: number = MAX_DRAWN,
): FeaturePlan {
  const expected = layer.estimatedRows * shareOf(layer.extent?.native, box);
  return {
    layer,
    view,
    box,
    columns: layer.columns.filter(({ name }) => columns.has(name)),
    isThinned: expected > Math.min(CROWD, most),
    most,
    time,
  };
}

/** How much of the extent lies in the box. */
function shareOf(extent: Box | undefined, [west, south, east, north]: Box): number {
  if (extent === undefined) return 1;
  const [xmin, ymin, xmax, ymax] = extent;
  const part = (low: number, high: number, from: number, to: number): number =>
    high - low < 1e-9 ? 1 : Math.max(0, Math.min(high, to) - Math.max(low, from)) / (high - low);
  return part(xmin, xmax, west, east) * part(ymin, ymax, south, north);
}

/** Rows of the geometry (TWKB, pixels), the key, and the columns of the plan as text. */
export function featureStatement(plan: FeaturePlan): Statement {
  const { layer, columns, box, isThinned } = plan;
  const source = `f.${quoteIdent(layer.geometry.column)}`;
  const key = `f.${quoteIdent(layer.primaryKey)}`;
  const sample = sampleOf(plan);
  const from = `${tableOf(layer)} as f${sample === undefined ? '' : ` tablesample system (${sample.toFixed(6)}) repeatable (1)`}`;
  const timed = timeCondition(plan);
  const where = `${overlaps(layer, source, envelope(layer, box))}${timed}`;
  const wanted = [key, source, ...columns.map(({ name }) => `f.${quoteIdent(name)}`)];
  const names = [...new Set(wanted)].join(', ');
  const rows = isThinned
    ? thinned(plan, { source, key, from, where, names })
    : `select ${names} from ${from} where ${where} order by ${key} limit ${plan.most + 1}`;
  const text = `select ${shape(plan, source)}, ${key}::text${columns.map((column) => `, ${textOf(column)}`).join('')} from (${rows}) f`;
  return { text, params: timed === '' || plan.time === undefined ? [] : [plan.time.from, plan.time.to] };
}

function timeCondition({ layer, time }: FeaturePlan): string {
  const [column] = time === undefined || layer.timeColumn === undefined ? [] : timeColumnsOf(layer);
  return column === undefined ? '' : ` and ${meetsSpan(column, '$1::timestamptz', '$2::timestamptz')}`;
}

function sampleOf({ layer, box, isThinned, most }: FeaturePlan): number | undefined {
  if (!isThinned) return undefined;
  const expected = layer.estimatedRows * shareOf(layer.extent?.native, box);
  const lookedAt = most < MAX_DRAWN ? most : MAX_LOOKED_AT;
  return expected > lookedAt ? (100 * lookedAt) / expected : undefined;
}

type Pieces = {
  readonly source: string;
  readonly key: string;
  readonly from: string;
  readonly where: string;
  readonly names: string;
};

function thinned(plan: FeaturePlan, { source, key, from, where, names }: Pieces): string {
  const gis = gisOf(plan.layer);
  const [px, py] = nativePixel(plan);
  const cells = `floor(${gis('st_xmin')}(${source}) / ${px}), floor(${gis('st_ymin')}(${source}) / ${py})`;
  const dust = (condition: string): string =>
    `select distinct on (${cells}) ${names} from ${from} where ${where}${condition} order by ${cells}, ${key} limit ${plan.most}`;
  if (plan.layer.geometry.kind === 'point') return dust('');
  const isDust = `(${gis('st_xmax')}(${source}) - ${gis('st_xmin')}(${source}) < ${px} and ${gis('st_ymax')}(${source}) - ${gis('st_ymin')}(${source}) < ${py})`;
  return `(select ${names} from ${from} where ${where} and not ${isDust} order by ${key} limit ${plan.most}) union all (${dust(` and ${isDust}`)})`;
}

/** Size of a pixel in units of the layer's system, about. */
export function nativePixel({ view, box }: Pick<FeaturePlan, 'view' | 'box'>): readonly [number, number] {
  const [xmin, ymin, xmax, ymax] = box;
  return [(xmax - xmin) / view.width, (ymax - ymin) / view.height];
}

/** The geometry as it is drawn: cut, simplified, in the view's system, in pixels. */
function shape(plan: FeaturePlan, source: string): string {
  const { layer, view, box } = plan;
  const gis = gisOf(layer);
  const isPlain = layer.geometry.kind === 'point';
  let drawn = isCurved(layer.geometry.type) ? `${gis('st_curvetoline')}(${source})` : source;
  if (!isPlain) {
    // What reaches far out of the picture could not be transformed, and would cost time for nothing. The edges of the cut lie
    // outside of the picture.
    const edge = envelope(layer, growBox(box, 0.05));
    drawn = `case when ${drawn} operator(${quoteIdent(layer.gis)}.@) ${edge} then ${drawn} else ${gis('st_clipbybox2d')}(${drawn}, ${edge}::${gis('box2d')}) end`;
    const [px, py] = nativePixel(plan);
    drawn = `${gis('st_simplify')}(${drawn}, ${Math.min(px, py) / 4}, true)`;
  }
  if (layer.srid !== view.crs.srid) drawn = `${gis('st_transform')}(${drawn}, ${view.crs.srid})`;
  const [xmin, , xmax, ymax] = view.box;
  const sx = view.width / (xmax - xmin);
  const sy = view.height / (ymax - view.box[1]);
  // x' = (x - xmin) · sx, y' = (ymax - y) · sy
  const affine = `${gis('st_affine')}(${gis('st_force2d')}(${drawn}), ${sx}, 0, 0, ${-sy}, ${-xmin * sx}, ${ymax * sy})`;
  return `${gis('st_astwkb')}(${affine}, 1)`;
}

/** Types in which arcs can be. */
export function isCurved(type: string): boolean {
  return /Curve|Circular|Surface|^Geometry/.test(type);
}

function envelope(layer: VectorLayer, [xmin, ymin, xmax, ymax]: Box): string {
  return `${gisOf(layer)('st_makeenvelope')}(${xmin}, ${ymin}, ${xmax}, ${ymax}, ${layer.srid})`;
}

function textOf({ name, type }: LayerColumn): string {
  const column = `f.${quoteIdent(name)}`;
  const kind = columnClass(type);
  return kind === 'number'
    ? `${column}::double precision`
    : kind === 'boolean' || kind === 'integer'
      ? column
      : `${column}::text`;
}
