// Names in statements about a layer's table: every schema is said, for PostGIS may stand anywhere. The row is called `f`. Pure.

import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { empty, type Fragment, ident, raw, sql } from '../../sql/index.ts';
import { type Sql, text, value, whole } from './value.ts';

type Name = Fragment<never>;

export function tableOf({ table }: Pick<VectorLayer, 'table'>): Name {
  return ident('layers', table);
}

export function columnOf(name: string): Name {
  return ident('f', name);
}

export function keyOf({ primaryKey }: Pick<VectorLayer, 'primaryKey'>): Name {
  return columnOf(primaryKey);
}

export function geometryOf({ geometry }: Pick<VectorLayer, 'geometry'>): Name {
  return columnOf(geometry.column);
}

/** The rows of a layer that are looked at, as `f`. `percent` of its pages, the same ones each time; undefined: all of them. */
export function looked(layer: Pick<VectorLayer, 'table'>, percent: number | undefined): Sql {
  const sample: Sql =
    percent === undefined ? empty : sql` tablesample system (${value(percent.toFixed(6))}::real) repeatable (1)`;
  return sql`${tableOf(layer)} as f${sample}`;
}

/** What is called of PostGIS. */
type GisName =
  | 'box2d'
  | 'geography'
  | 'geometry'
  | `st_${'affine' | 'asbinary' | 'asgeojson' | 'asgml' | 'askml' | 'asmvt' | 'asmvtgeom' | 'astext' | 'astwkb'}`
  | `st_${'clipbybox2d' | 'curvetoline' | 'envelope' | 'flipcoordinates' | 'geomfromgeojson' | 'makeenvelope' | 'makeline' | 'multi'}`
  | `st_${'force2d' | 'force3dm' | 'force3dz' | 'force4d' | 'npoints' | 'pointonsurface' | 'segmentize' | 'setsrid' | 'simplify'}`
  | `st_${'area' | 'dimension' | 'dump' | 'length' | 'linemerge' | 'perimeter' | 'makepoint' | 'makepolygon' | 'split' | 'union' | 'x' | 'y'}`
  | `st_${'buffer' | 'centroid' | 'collectionextract' | 'coveredby' | 'distance' | 'intersection' | 'isempty' | 'isvalid' | 'makevalid'}`
  | `st_${'snaptogrid' | 'transform' | 'translate' | 'xmax' | 'xmin' | 'ymax' | 'ymin'}`
  | `st_${'contains' | 'crosses' | 'disjoint' | 'dwithin' | 'equals' | 'expand' | 'intersects' | 'overlaps' | 'touches' | 'within'}`;

/** Calls of PostGIS: `gisOf(layer)('st_transform')` → `"public".st_transform`. */
export function gisOf({ gis }: Pick<VectorLayer, 'gis'>): (name: GisName) => Name {
  const schema = ident(gis);
  return (name) => sql<never>`${schema}.${raw(name)}`;
}

/** Do the boxes of two geometries meet? The operator that spatial indexes answer. */
export function overlaps({ gis }: Pick<VectorLayer, 'gis'>, left: Sql, right: Sql): Sql {
  return sql`${left} operator(${ident(gis)}.&&) ${right}`;
}

/** Does the box of one geometry lie in that of the other? */
export function isInside({ gis }: Pick<VectorLayer, 'gis'>, inner: Sql, outer: Sql): Sql {
  return sql`${inner} operator(${ident(gis)}.@) ${outer}`;
}

/** A bound on the time of every statement after it in the batch. */
export function timeLimit(ms: number): Statement {
  return {
    name: 'map_time_limit',
    text: `select set_config('statement_timeout', $1, true)`,
    params: [String(ms)],
    ignoreRows: true,
  };
}

/** Bounded in time; and without helpers of the database, whose start takes longer than what they would do. */
export function timeLimitAlone(ms: number): Statement {
  return {
    name: 'render_scope',
    text: `select set_config('statement_timeout', $1, true), set_config('max_parallel_workers_per_gather', '0', true)`,
    params: [String(ms)],
    ignoreRows: true,
  };
}

/** May the caller do this with the layer? Asked once per statement, where the rows are read. */
export function mayCondition(
  { id }: Pick<VectorLayer, 'id'>,
  permission: 'download_resourcebase' | 'change_layer_data',
): Sql {
  return sql`(select portal.may(${whole(id)}, ${text(permission)}))`;
}
