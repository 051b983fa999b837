// A layer and a view → the statement that finds what is to be seen: geometries in pixels of the picture, as fine as these are, and the
// columns the style asks for. Pure.

import { type Box, growBox } from '../../geo/projection.ts';
import type { View } from '../../geo/view.ts';
import type { LayerColumn, VectorLayer } from '../../layer-ports/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { ident, join, sql, where } from '../../sql/index.ts';
import { columnClass } from '../columns/column-class.ts';
import { clipped, envelope, transformed } from './box-sql.ts';
import { cellSize, indexedSize, inShare, sizeConditions } from './cells-sql.ts';
import { hasLabelPoints, labelPoint } from './label-sql.ts';
import { columnOf, geometryOf, gisOf, isInside, keyOf, overlaps, tableOf } from './layer-sql.ts';
import { number, type Sql, toStatement, whole } from './value.ts';

/** Features that are drawn, unless the picture is one for which fewer do. */
const MAX_DRAWN = 150_000;

export type FeaturePlan = {
  readonly layer: VectorLayer;
  readonly view: View;
  /** The view, with a margin, in the layer's own system. */
  readonly box: Box;
  readonly columns: readonly LayerColumn[];
  /** Undefined: every feature. Otherwise the zoom of a summary, of which these are the features that fill a cell. */
  readonly summaryZoom: number | undefined;
  /** So many are drawn at most. */
  readonly most: number;
  /** Of rows, besides where they are: when they are, and what they have to pass. */
  readonly conditions: readonly Sql[];
  /** With the places of names, made on whole geometries. */
  readonly labels: boolean;
};

export function planFeatures(
  layer: VectorLayer,
  view: View,
  box: Box,
  columns: ReadonlySet<string>,
  conditions: readonly Sql[],
  most: number = MAX_DRAWN,
  labels = false,
): FeaturePlan {
  return {
    layer,
    view,
    box,
    columns: layer.columns.filter(({ name }) => columns.has(name)),
    summaryZoom: undefined,
    most,
    conditions,
    labels: labels && hasLabelPoints(layer),
  };
}

/** Rows of the geometry (TWKB, pixels), the key, the place of its name where the plan has labels, and the columns of the plan as text. One more than `most`. */
export function featureStatement(plan: FeaturePlan): Statement {
  const { layer, columns, most } = plan;
  const places = plan.labels ? [sql`${labelPlace(plan)} as place`] : [];
  // Names of our own: columns can be called anything.
  const values = columns.map((column, i) => sql`${textOf(column)} as ${ident(`c${i}`)}`);
  const shown = [sql`${shape(plan)} as shape`, sql`${keyOf(layer)}::text as k`, ...places, ...values];
  const rows = sql`select ${wantedOf(plan)} from ${tableOf(layer)} as f${where([inView(plan), ...plan.conditions, ...largeOnly(plan)])} order by ${keyOf(layer)} limit ${whole(most + 1)}`;
  return toStatement(sql`select ${join(shown)} from (${rows}) f`);
}

function largeOnly({ layer, summaryZoom: zoom }: FeaturePlan): readonly Sql[] {
  if (zoom === undefined) return [];
  const size = cellSize(layer, zoom);
  const { overview } = layer;
  const byIndex = overview === undefined ? [] : [indexedSize(layer, size, overview.summaryTo)];
  return [...byIndex, ...sizeConditions(layer, { least: size }), ...inShare(layer, overview?.shares[zoom] ?? 1)];
}

function wantedOf({ layer, columns }: FeaturePlan): Sql {
  const names = new Set([layer.primaryKey, layer.geometry.column, ...columns.map(({ name }) => name)]);
  return join([...names].map(columnOf));
}

function inView({ layer, box }: FeaturePlan): Sql {
  return overlaps(layer, geometryOf(layer), envelope(layer, box, layer.srid));
}

/** Size of a pixel in units of the layer's system, about. */
function nativePixel({ view, box }: FeaturePlan): readonly [number, number] {
  const [xmin, ymin, xmax, ymax] = box;
  return [(xmax - xmin) / view.width, (ymax - ymin) / view.height];
}

/** The geometry as it is drawn: cut, simplified, in the view's system, in pixels. */
function shape(plan: FeaturePlan): Sql {
  const { layer, box } = plan;
  const gis = gisOf(layer);
  const straight = withoutCurves(layer, geometryOf(layer));
  let drawn = straight;
  if (layer.geometry.kind !== 'point') {
    // What reaches far out of the picture could not be transformed, and would cost time for nothing. The edges of the cut lie
    // outside of the picture.
    const edge = envelope(layer, growBox(box, 0.05), layer.srid);
    const [px, py] = nativePixel(plan);
    drawn = sql`${gis('st_simplify')}(case when ${isInside(layer, straight, edge)} then ${straight} else ${clipped(layer, straight, edge)} end, ${number(Math.min(px, py) / 4)}, true)`;
  }
  return inPixels(plan, drawn);
}

/** Where the name of an area stands, if that is in the picture or near it; what is farther could not be transformed everywhere. */
function labelPlace(plan: FeaturePlan): Sql {
  const { layer, box } = plan;
  const point = labelPoint(layer, withoutCurves(layer, geometryOf(layer)));
  const edge = envelope(layer, growBox(box, 0.05), layer.srid);
  return sql`(select ${inPixels(plan, sql`l.p`)} from (select ${point} as p) l where ${overlaps(layer, sql`l.p`, edge)})`;
}

function inPixels(plan: Pick<FeaturePlan, 'layer' | 'view'>, drawn: Sql): Sql {
  return sql`${gisOf(plan.layer)('st_astwkb')}(${onCanvas(plan, drawn)}, 1)`;
}

function onCanvas({ layer, view }: Pick<FeaturePlan, 'layer' | 'view'>, drawn: Sql): Sql {
  const gis = gisOf(layer);
  const [xmin, , xmax, ymax] = view.box;
  const sx = view.width / (xmax - xmin);
  const sy = view.height / (ymax - view.box[1]);
  const flat = sql`${gis('st_force2d')}(${transformed(layer, drawn, view.crs.srid)})`;
  // x' = (x - xmin) · sx, y' = (ymax - y) · sy
  return sql`${gis('st_affine')}(${flat}, ${number(sx)}, 0, 0, ${number(-sy)}, ${number(-xmin * sx)}, ${number(ymax * sy)})`;
}

/** Arcs as lines, in types in which there can be any. */
export function withoutCurves(layer: VectorLayer, geometry: Sql): Sql {
  return /Curve|Circular|Surface|^Geometry/.test(layer.geometry.type)
    ? sql`${gisOf(layer)('st_curvetoline')}(${geometry})`
    : geometry;
}

function textOf({ name, type }: LayerColumn): Sql {
  const column = columnOf(name);
  const kind = columnClass(type);
  // Viewers have a real as a double; a numeric has more digits than either.
  if (type === 'real') return sql`${column}::double precision`;
  return kind === 'boolean' || kind === 'integer' || kind === 'number' ? column : sql`${column}::text`;
}
