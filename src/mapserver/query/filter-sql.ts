// A filter and a layer → a condition of the statement. Names are looked up among the layer's columns, values are quoted; operators
// come from the closed tables below, never from the request's text.

import type { CqlError, Filter, Scalar, Spatial, SpatialRelation, TemporalRelation, When } from '../../geo/cql/cql.ts';
import { type GeoGeometry, isOnEarth } from '../../geo/geojson.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layers/layer.ts';
import { quoteIdent, quoteLiteral } from '../../sql/index.ts';
import { columnClass } from '../layers/column-class.ts';
import type { KnownCrs } from './known-crs.ts';
import { gisOf, overlaps } from './layer-sql.ts';
import { momentOf } from './time-sql.ts';

/** The row is called `f`. `crs`: that of the geometries in the filter. */
export function filterToSql(filter: Filter, layer: VectorLayer, crs: KnownCrs): Result<string, CqlError> {
  try {
    return ok(condition(filter, { layer, crs }));
  } catch (error) {
    if (error instanceof NotPossible) return err({ kind: 'bad-filter', said: error.message });
    throw error;
  }
}

class NotPossible extends Error {}

type Ground = { readonly layer: VectorLayer; readonly crs: KnownCrs };

function condition(filter: Filter, ground: Ground): string {
  const scalar = (one: Scalar): string => scalarSql(one, ground);
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `(${filter.parts.map((part) => condition(part, ground)).join(` ${filter.kind} `)})`;
    case 'not':
      return `(not ${condition(filter.part, ground)})`;
    case 'truth':
      return filter.value ? 'true' : 'false';
    case 'holds':
      return `(${scalar(filter.value)} = true)`;
    case 'compare': {
      const [left, right] = comparable([filter.left, filter.right], ground);
      return `(${left} ${filter.op} ${right})`;
    }
    case 'like':
      return `(${asText(scalar(filter.left))} like ${scalar(filter.pattern)})`;
    case 'between': {
      const [value, low, high] = comparable([filter.value, filter.low, filter.high], ground);
      return `(${value} between ${low} and ${high})`;
    }
    case 'in': {
      const [value, ...list] = comparable([filter.value, ...filter.list], ground);
      return `(${value} in (${list.join(', ')}))`;
    }
    case 'null':
      return `(${filter.value.kind === 'property' && filter.value.name === ground.layer.geometry.column ? geometryColumn(ground.layer) : scalar(filter.value)} is null)`;
    case 'spatial':
      return spatialSql(filter.op, filter.left, filter.right, ground);
    case 'temporal':
      return temporalSql(filter.op, filter.left, filter.right, ground);
    default:
      return assertNever(filter);
  }
}

/** Where a moment is among them, columns of dates are compared as moments of UTC, whatever zone the database has. */
function comparable(scalars: readonly Scalar[], ground: Ground): readonly string[] {
  const hasMoment = scalars.some(({ kind }) => kind === 'when');
  return scalars.map((scalar) => (hasMoment ? momentScalar(scalar, ground) : scalarSql(scalar, ground)));
}

function momentScalar(scalar: Scalar, ground: Ground): string {
  const column = scalar.kind === 'property' ? ground.layer.columns.find(({ name }) => name === scalar.name) : undefined;
  const isDate = column !== undefined && (columnClass(column.type) === 'date' || columnClass(column.type) === 'time');
  return isDate ? momentOf(column) : scalarSql(scalar, ground);
}

function scalarSql(scalar: Scalar, ground: Ground): string {
  switch (scalar.kind) {
    case 'property':
      return columnSql(scalar.name, ground.layer);
    case 'text':
      return quoted(scalar.value);
    case 'number':
      return numberSql(scalar.value);
    case 'truth':
      return scalar.value ? 'true' : 'false';
    case 'when':
      if (scalar.value.kind === 'interval') throw new NotPossible('an interval can only stand in a temporal function');
      return momentSql(scalar.value.at);
    case 'arithmetic': {
      const [left, right] = [scalarSql(scalar.left, ground), scalarSql(scalar.right, ground)];
      if (scalar.op === 'div') return `div((${left})::numeric, (${right})::numeric)`;
      // Whole numbers are not cut off, and a remainder needs numbers that have one.
      if (scalar.op === '/') return `((${left})::numeric / nullif((${right})::numeric, 0))`;
      if (scalar.op === '%') return `mod((${left})::numeric, nullif((${right})::numeric, 0))`;
      return `(${left} ${scalar.op} ${right})`;
    }
    case 'fold':
      if (scalar.what === 'accent')
        throw new NotPossible('"accenti" is not known here: compare with "casei", or the text itself');
      return `lower(${asText(scalarSql(scalar.of, ground))})`;
    default:
      return assertNever(scalar);
  }
}

function asText(expression: string): string {
  return `(${expression})::text`;
}

/** A bare literal takes the type of what it is compared with. */
function quoted(text: string): string {
  if (text.includes('\0')) throw new NotPossible('a text cannot hold the character 0');
  return quoteLiteral(text).trim();
}

/** In quotes, so that it is compared with whatever the column is: a text column takes it for a text. */
function numberSql(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? `${value}` : `${value}::double precision`;
}

export function columnSql(name: string, layer: VectorLayer): string {
  const column = layer.columns.find((one) => one.name === name);
  if (column === undefined) throw new NotPossible(`there is no property "${name.slice(0, 100)}" to filter by`);
  if (columnClass(column.type) === 'bytes') throw new NotPossible(`"${name}" cannot be filtered by`);
  return `f.${quoteIdent(name)}`;
}

function geometryColumn({ geometry }: VectorLayer): string {
  return `f.${quoteIdent(geometry.column)}`;
}

const RELATIONS: Readonly<Record<SpatialRelation, string>> = {
  s_intersects: 'st_intersects',
  s_equals: 'st_equals',
  s_disjoint: 'st_disjoint',
  s_touches: 'st_touches',
  s_within: 'st_within',
  s_overlaps: 'st_overlaps',
  s_crosses: 'st_crosses',
  s_contains: 'st_contains',
};

function spatialSql(op: SpatialRelation, left: Spatial, right: Spatial, ground: Ground): string {
  const { layer } = ground;
  const [a, b] = [spatialOperand(left, ground), spatialOperand(right, ground)];
  const related = `${gisOf(layer)(RELATIONS[op])}(${a}, ${b})`;
  // Only the box can be looked up in an index: the functions themselves may tell of rows that are not to be seen.
  return op === 's_disjoint' ? related : `(${overlaps(layer, a, b)} and ${related})`;
}

function spatialOperand(operand: Spatial, { layer, crs }: Ground): string {
  if (operand.kind === 'geometry') return geometrySql(operand.value, layer, crs);
  const { name } = operand;
  if (name !== layer.geometry.column && name !== 'geometry' && name !== 'geom')
    throw new NotPossible(`"${name.slice(0, 100)}" is not a geometry`);
  return geometryColumn(layer);
}

/** In the layer's own system. */
export function geometrySql(geometry: GeoGeometry, layer: VectorLayer, crs: KnownCrs): string {
  const gis = gisOf(layer);
  if (crs.srid === 4326 && !crs.isNorthFirst && !isOnEarth(geometry))
    throw new NotPossible('a position lies beyond the poles');
  const read = `${gis('st_geomfromgeojson')}(${quoteLiteral(JSON.stringify(plainGeometry(geometry))).trim()})`;
  const turned = crs.isNorthFirst ? `${gis('st_flipcoordinates')}(${read})` : read;
  const placed = `${gis('st_setsrid')}(${turned}, ${crs.srid})`;
  return crs.srid === layer.srid ? placed : `${gis('st_transform')}(${placed}, ${layer.srid})`;
}

/** Without members that say more, such as another system. */
export function plainGeometry(geometry: GeoGeometry): GeoGeometry {
  if (geometry.type === 'GeometryCollection')
    return { type: geometry.type, geometries: geometry.geometries.map(plainGeometry) };
  return { type: geometry.type, coordinates: geometry.coordinates } as GeoGeometry;
}

function temporalSql(op: TemporalRelation, left: Scalar, right: Scalar, ground: Ground): string {
  if (left.kind === 'when' && right.kind !== 'when') return temporalSql(INVERSE[op], right, left, ground);
  if (right.kind !== 'when') {
    const [a, b] = [left, right].map((one) => `(${momentScalar(one, ground)})::timestamptz`);
    return instantRelation(op, a ?? '', b ?? '', b ?? '');
  }
  const value = left.kind === 'when' ? boundsOf(left.value).from : `(${momentScalar(left, ground)})::timestamptz`;
  const { from, to } = boundsOf(right.value);
  return instantRelation(op, value, from, to);
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

function instantRelation(op: TemporalRelation, value: string, from: string, to: string): string {
  switch (op) {
    case 't_after':
      return `(${value} > ${to})`;
    case 't_before':
      return `(${value} < ${from})`;
    case 't_equals':
      return `(${value} = ${from} and ${value} = ${to})`;
    case 't_disjoint':
      return `(${value} < ${from} or ${value} > ${to})`;
    case 't_intersects':
      return `(${value} >= ${from} and ${value} <= ${to})`;
    case 't_during':
      return `(${value} > ${from} and ${value} < ${to})`;
    case 't_starts':
      return `(${value} = ${from})`;
    case 't_finishes':
      return `(${value} = ${to})`;
    default:
      return assertNever(op);
  }
}

export function boundsOf(when: When): { readonly from: string; readonly to: string } {
  if (when.kind === 'interval')
    return {
      from: when.from === undefined ? `'-infinity'::timestamptz` : momentSql(when.from),
      to: when.to === undefined ? `'infinity'::timestamptz` : endOf(when.to),
    };
  return { from: momentSql(when.at), to: endOf(when.at) };
}

/** Days are those of UTC. */
function momentSql(moment: string): string {
  return `'${moment.includes('T') ? moment : `${moment}T00:00:00Z`}'::timestamptz`;
}

/** A day lasts until its end. */
function endOf(moment: string): string {
  return moment.includes('T') ? momentSql(moment) : `'${moment}T23:59:59.999999Z'::timestamptz`;
}
