// A filter (of CQL2 or of the Filter Encoding Standard) and a layer → a condition of the statement. Names are looked up among the layer's
// columns, values are parameters; operators come from the closed tables below, never from the request's text.

import {
  type Comparison,
  type CqlError,
  type Filter,
  numeralOf,
  type Scalar,
  type Spatial,
  type SpatialRelation,
  type TemporalRelation,
  type When,
} from '../../geo/cql/cql.ts';
import { isOnEarth } from '../../geo/geojson.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import { isDecimal } from '../../kernel/decimal.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { LayerTable } from '../../layer-ports/layer.ts';
import { type Fragment, join, raw, sql } from '../../sql/index.ts';
import { columnClass } from '../columns/column-class.ts';
import { transformed } from './box-sql.ts';
import { calledSql } from './function-sql.ts';
import { geometryValue } from './geometry-sql.ts';
import type { KnownCrs } from './known-crs.ts';
import { geometryOf, gisOf, overlaps } from './layer-sql.ts';
import { asText, type Ground, NotPossible, placed, scalarSql, startOf, truth, typedScalar } from './scalar-sql.ts';
import { moment, momentOf } from './time-sql.ts';
import { number, type Sql } from './value.ts';

/** The row is called `f`. `crs`: that of the geometries in the filter. */
export function filterToSql(filter: Filter, layer: LayerTable, crs: KnownCrs): Result<Sql, CqlError> {
  try {
    return ok(condition(filter, groundOf(layer, crs)));
  } catch (error) {
    if (error instanceof NotPossible) return err({ kind: 'bad-filter', said: error.message });
    throw error;
  }
}

export function groundOf(layer: LayerTable, crs: KnownCrs): Ground {
  const ground: Ground = {
    layer,
    crs,
    calculations: { count: 0, growth: 1 },
    condition: (filter) => condition(filter, ground),
    called: calledSql,
  };
  return ground;
}

type Distance = Extract<Filter, { kind: 'distance' }>;

const JOINED = { and: ' and ', or: ' or ' } as const;

const OPERATORS: Readonly<Record<Comparison, Fragment<never>>> = {
  '=': raw('='),
  '<>': raw('<>'),
  '<': raw('<'),
  '>': raw('>'),
  '<=': raw('<='),
  '>=': raw('>='),
};

function condition(filter: Filter, ground: Ground): Sql {
  const scalar = (one: Scalar): Sql => scalarSql(one, ground);
  switch (filter.kind) {
    case 'and':
    case 'or':
      return sql`(${join(
        filter.parts.map((part) => condition(part, ground)),
        JOINED[filter.kind],
      )})`;
    case 'not':
      return sql`(not ${condition(filter.part, ground)})`;
    case 'truth':
      return truth(filter.value);
    case 'holds':
      return sql`(${scalar(filter.value)} = true)`;
    case 'compare': {
      const { left, right } = comparable({ left: filter.left, right: filter.right }, ground);
      return sql`(${left} ${OPERATORS[filter.op]} ${right})`;
    }
    case 'like':
      return sql`(${asText(scalar(filter.left))} like ${asText(scalar(filter.pattern))})`;
    case 'between': {
      const { of, low, high } = comparable({ of: filter.value, low: filter.low, high: filter.high }, ground);
      return sql`(${of} between ${low} and ${high})`;
    }
    case 'in': {
      const hasMoment = [filter.value, ...filter.list].some(({ kind }) => kind === 'when');
      const one = (of: Scalar): Sql => (hasMoment ? momentScalar(of, ground) : scalar(of));
      return sql`(${one(filter.value)} in (${join(filter.list.map(one))}))`;
    }
    case 'null':
      return filter.value.kind === 'property' && filter.value.name === ground.layer.geometry?.column
        ? sql`(${geometryOf(placed(ground))} is null)`
        : // A bare value has nothing here to take its type from.
          sql`(${filter.value.kind === 'text' ? asText(scalar(filter.value)) : scalar(filter.value)} is null)`;
    case 'spatial':
      return spatialSql(filter.op, filter.left, filter.right, ground);
    case 'distance':
      return distanceSql(filter, ground);
    case 'temporal':
      return temporalSql(filter.op, filter.left, filter.right, ground);
    default:
      return assertNever(filter);
  }
}

/** Where a moment is among them, columns of dates are compared as moments of UTC, whatever zone the database has. */
function comparable<K extends string>(scalars: Readonly<Record<K, Scalar>>, ground: Ground): Readonly<Record<K, Sql>> {
  const isOfWholes = Object.values<Scalar>(scalars).some((scalar) => isWhole(scalar, ground));
  const entries = Object.entries<Scalar>(scalars).map(
    ([name, scalar]) => [name, isOfWholes ? asNumber(scalar) : scalar] as const,
  );
  const hasMoment = entries.some(([, { kind }]) => kind === 'when');
  return Object.fromEntries(
    entries.map(([name, scalar]) => [name, hasMoment ? momentScalar(scalar, ground) : scalarSql(scalar, ground)]),
  ) as Record<K, Sql>;
}

function isWhole(scalar: Scalar, { layer }: Ground): boolean {
  const column = scalar.kind === 'property' ? layer.columns.find(({ name }) => name === scalar.name) : undefined;
  return column !== undefined && columnClass(column.type) === 'integer';
}

/** A column of whole numbers is compared with 0.5 as well, which clients that have no types write as a text. */
function asNumber(scalar: Scalar): Scalar {
  const value = scalar.kind === 'text' && isDecimal(scalar.value.trim()) ? numeralOf(scalar.value.trim()) : undefined;
  return value === undefined ? scalar : { kind: 'number', value };
}

function momentScalar(scalar: Scalar, ground: Ground): Sql {
  const column = scalar.kind === 'property' ? ground.layer.columns.find(({ name }) => name === scalar.name) : undefined;
  const isDate = column !== undefined && (columnClass(column.type) === 'date' || columnClass(column.type) === 'time');
  if (isDate) return momentOf(column);
  const { sql: of, type } = typedScalar(scalar, ground);
  return type === 'date' ? sql`((${of})::timestamp at time zone 'UTC')` : of;
}

const RELATIONS = {
  s_intersects: 'st_intersects',
  s_equals: 'st_equals',
  s_disjoint: 'st_disjoint',
  s_touches: 'st_touches',
  s_within: 'st_within',
  s_overlaps: 'st_overlaps',
  s_crosses: 'st_crosses',
  s_contains: 'st_contains',
} as const satisfies Readonly<Record<SpatialRelation, string>>;

function spatialSql(op: SpatialRelation, left: Spatial, right: Spatial, ground: Ground): Sql {
  const layer = placed(ground);
  const [a, b] = [spatialOperand(left, ground), spatialOperand(right, ground)];
  const related = sql`${gisOf(layer)(RELATIONS[op])}(${a}, ${b})`;
  // Only the box can be looked up in an index: the functions themselves may tell of rows that are not to be seen.
  return op === 's_disjoint' ? related : sql`(${overlaps(layer, a, b)} and ${related})`;
}

/**
 * Metres are measured on the ground: in the plane of a system of metres that would be wrong by as much as the system is, far from where it
 * is meant for. Other units are those of the layer's system, and an index helps to find what is near.
 */
function distanceSql({ isWithin, left, right, distance, unit }: Distance, ground: Ground): Sql {
  const layer = placed(ground);
  const gis = gisOf(layer);
  const [a, b] = [spatialOperand(left, ground), spatialOperand(right, ground)];
  const far = number(distance);
  const onGround = (geometry: Sql): Sql => sql`${transformed(layer, geometry, 4326)}::${gis('geography')}`;
  const near =
    unit === 'metre'
      ? sql`${gis('st_dwithin')}(${onGround(a)}, ${onGround(b)}, ${far})`
      : sql`(${overlaps(layer, a, sql`${gis('st_expand')}(${b}, ${far})`)} and ${gis('st_dwithin')}(${a}, ${b}, ${far}))`;
  return isWithin ? near : sql`(not ${near})`;
}

function spatialOperand(operand: Spatial, ground: Ground): Sql {
  const { crs } = ground;
  const layer = placed(ground);
  if (operand.kind === 'geometry') {
    if (crs.srid === 4326 && !isOnEarth(operand.value, crs.isNorthFirst))
      throw new NotPossible('a position lies beyond the poles');
    return geometryValue(operand.value, layer, crs);
  }
  const { name } = operand;
  if (name !== layer.geometry.column && name !== 'geometry' && name !== 'geom')
    throw new NotPossible(`"${name.slice(0, 100)}" is not a geometry`);
  return geometryOf(layer);
}

function temporalSql(op: TemporalRelation, left: Scalar, right: Scalar, ground: Ground): Sql {
  if (left.kind === 'when' && right.kind !== 'when') return temporalSql(INVERSE[op], right, left, ground);
  const asMoment = (one: Scalar): Sql => sql`(${momentScalar(one, ground)})::timestamptz`;
  const from = left.kind === 'when' ? boundsOf(left.value).from : asMoment(left);
  if (right.kind === 'when') return instantRelation(op, from, boundsOf(right.value));
  const at = asMoment(right);
  return instantRelation(op, from, { from: at, to: at });
}

/** What a relation is, seen from the other side, of an instant and a span. */
const INVERSE: Readonly<Record<TemporalRelation, TemporalRelation>> = {
  t_after: 't_before',
  t_before: 't_after',
  t_equals: 't_equals',
  t_disjoint: 't_disjoint',
  t_intersects: 't_intersects',
  t_during: 't_during',
  t_finishes: 't_finishes',
  t_starts: 't_starts',
};

function instantRelation(op: TemporalRelation, at: Sql, { from, to }: Bounds): Sql {
  switch (op) {
    case 't_after':
      return sql`(${at} > ${to})`;
    case 't_before':
      return sql`(${at} < ${from})`;
    case 't_equals':
      return sql`(${at} = ${from} and ${at} = ${to})`;
    case 't_disjoint':
      return sql`(${at} < ${from} or ${at} > ${to})`;
    case 't_intersects':
      return sql`(${at} >= ${from} and ${at} <= ${to})`;
    case 't_during':
      return sql`(${at} > ${from} and ${at} < ${to})`;
    case 't_starts':
      return sql`(${at} = ${from})`;
    case 't_finishes':
      return sql`(${at} = ${to})`;
    default:
      return assertNever(op);
  }
}

export type Bounds = { readonly from: Sql; readonly to: Sql };

export function boundsOf(when: When): Bounds {
  if (when.kind === 'interval')
    return {
      from: when.from === undefined ? moment('-infinity') : startOf(when.from),
      to: when.to === undefined ? moment('infinity') : endOf(when.to),
    };
  return { from: startOf(when.at), to: endOf(when.at) };
}

/** A day lasts until its end. */
function endOf(at: string): Sql {
  return moment(at.includes('T') ? at : `${at}T23:59:59.999999Z`);
}
