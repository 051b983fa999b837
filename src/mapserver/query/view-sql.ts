// A layer and a view → the statement that finds what is to be seen: geometries in pixels of the picture, as fine as these are, and the
// columns the style asks for. Pure.

import { type Box, growBox } from '../../geo/projection.ts';
import type { View } from '../../geo/view.ts';
import type { LayerColumn, VectorLayer } from '../../layers/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { empty, ident, join, raw, sql, where } from '../../sql/index.ts';
import { columnClass } from '../layers/column-class.ts';
import { clipped, envelope, shareOf, transformed } from './box-sql.ts';
import { type CrowdedView, crowdRows, inOthers } from './crowded-view.ts';
import { type GroupPlan, groupColumns, groupRows } from './group-sql.ts';
import { hasLabelPoints, labelPoint } from './label-sql.ts';
import { columnOf, geometryOf, gisOf, isInside, keyOf, overlaps } from './layer-sql.ts';
import { looked, thinned } from './thinning.ts';
import { inSpan, type TimeSpan } from './time-sql.ts';
import { number, type Sql, toStatement, whole } from './value.ts';

/** Features in a view from which on they are thinned. */
const CROWD = 20_000;
/** Features that are looked at when they are thinned. */
const MAX_LOOKED_AT = 500_000;
/** Features that are drawn, unless the picture is one for which fewer do. */
const MAX_DRAWN = 60_000;

export type FeaturePlan = {
  readonly layer: VectorLayer;
  readonly view: View;
  /** The view, with a margin, in the layer's own system. */
  readonly box: Box;
  readonly columns: readonly LayerColumn[];
  readonly isThinned: boolean;
  /** So many are drawn at most. */
  readonly most: number;
  /** When features are; undefined: always. */
  readonly time: TimeSpan | undefined;
  /** With the places of names, made on whole geometries. */
  readonly labels: boolean;
  /** Which features stand for the others; undefined: they are thinned. */
  readonly crowd: CrowdedView | undefined;
};

export function planFeatures(
  layer: VectorLayer,
  view: View,
  box: Box,
  columns: ReadonlySet<string>,
  time: TimeSpan | undefined,
  most: number = MAX_DRAWN,
  labels = false,
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
    labels: labels && hasLabelPoints(layer),
    crowd: undefined,
  };
}

/**
 * Rows of the geometry (TWKB, pixels), the key, the place of its name where the plan has labels, the columns of the plan as text, and, of a crowd, for
 * how many features it stands.
 */
export function featureStatement(plan: FeaturePlan): Statement {
  const { layer, columns, crowd } = plan;
  const places = plan.labels ? [sql`${labelPlace(plan)} as place`] : [];
  // Names of our own: columns can be called anything.
  const values = columns.map((column, i) => sql`${textOf(column)} as ${ident(`c${i}`)}`);
  const key = sql`${keyOf(layer)}::text as k`;
  const shown = [sql`${shape(plan)} as shape`, key, ...places, ...values];
  if (crowd === undefined) return toStatement(sql`select ${join(shown)} from (${rowsOf(plan)}) f`);
  const ofCrowd = crowdRows(
    crowd,
    envelope(layer, growBox(plan.box, 0.03), layer.srid),
    ({ isSquare, square, count }) => [
      sql`case when ${isSquare} then ${squareInPixels(plan, square)} else ${shape(plan)} end as shape`,
      key,
      // A square is no area that has a name.
      ...(plan.labels ? [sql`case when not ${isSquare} then ${labelPlace(plan)} end as place`] : []),
      ...values,
      sql`${count} as n`,
    ],
  );
  const within = inOthers(crowd);
  const others: Sql =
    within === undefined
      ? empty
      : sql` union all select ${join([...shown, raw('1 as n')])} from (${thinnedRows(plan, looked(layer, undefined), [within])}) f`;
  // One that lies in several tiles is drawn once.
  return toStatement(sql`select distinct on (k) * from (${ofCrowd}${others}) r order by k`);
}

/** The same rows of groups of features, which have no key. */
export function groupStatement(plan: GroupPlan, view: View): Statement {
  const columns = groupColumns(plan.group).map((_, i) => raw(`f.c${i}`));
  const shape = inPixels({ layer: { ...plan.layer, srid: 3857 }, view }, raw('f.shape'));
  return toStatement(sql`select ${join([shape, raw("''"), ...columns])} from (${groupRows(plan)}) f`);
}

function rowsOf(plan: FeaturePlan): Sql {
  const { layer, isThinned, most } = plan;
  const from = looked(layer, sampleOf(plan));
  const time = inSpan(layer, plan.time);
  const conditions = time === undefined ? [] : [time];
  if (isThinned) return thinnedRows(plan, from, conditions);
  return sql`select ${wantedOf(plan)} from ${from}${where([inView(plan), ...conditions])} order by ${keyOf(layer)} limit ${whole(most + 1)}`;
}

function thinnedRows(plan: FeaturePlan, from: Sql, conditions: readonly Sql[]): Sql {
  const { layer, most } = plan;
  const { large, grains } = thinned({
    layer,
    from,
    where: join([inView(plan), ...conditions], ' and '),
    columns: wantedOf(plan),
    pixel: nativePixel(plan),
    most,
  });
  return large === undefined ? grains : sql`(${large}) union all (${grains})`;
}

function wantedOf({ layer, columns }: FeaturePlan): Sql {
  const names = new Set([layer.primaryKey, layer.geometry.column, ...columns.map(({ name }) => name)]);
  return join([...names].map(columnOf));
}

function inView({ layer, box }: FeaturePlan): Sql {
  return overlaps(layer, geometryOf(layer), envelope(layer, box, layer.srid));
}

function sampleOf({ layer, box, isThinned, most }: FeaturePlan): number | undefined {
  if (!isThinned) return undefined;
  const expected = layer.estimatedRows * shareOf(layer.extent?.native, box);
  const lookedAt = most < MAX_DRAWN ? most : MAX_LOOKED_AT;
  return expected > lookedAt ? (100 * lookedAt) / expected : undefined;
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

/** Squares side by side have their edges between pixels, or lines would show where they meet. */
function squareInPixels({ layer, view }: FeaturePlan, square: Sql): Sql {
  const gis = gisOf(layer);
  const placed = onCanvas({ layer: { ...layer, srid: 3857 }, view }, square);
  return sql`${gis('st_astwkb')}(${view.crs.srid === 3857 ? sql`${gis('st_snaptogrid')}(${placed}, 1)` : placed}, 1)`;
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
  if (kind === 'number') return sql`${column}::double precision`;
  return kind === 'boolean' || kind === 'integer' ? column : sql`${column}::text`;
}
