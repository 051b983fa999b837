// A value of CQL2 → SQL of the row that is called `f`. Names become columns of the layer, values are parameters. Pure.

import type { Filter, Scalar } from '../../geo/cql/cql.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import type { LayerColumn, LayerTable, VectorLayer } from '../../layer-ports/layer.ts';
import { join, raw, sql } from '../../sql/index.ts';
import { columnClass } from '../columns/column-class.ts';
import type { KnownCrs } from './known-crs.ts';
import { columnOf } from './layer-sql.ts';
import { moment } from './time-sql.ts';
import { type Sql, value } from './value.ts';

/** What a compiler of one filter throws; it does not leave this folder. */
export class NotPossible extends Error {}

export type Called = Extract<Scalar, { kind: 'call' | 'if' }>;

export type Ground = {
  readonly layer: LayerTable;
  readonly crs: KnownCrs;
  /** Each is done for every row. */
  readonly calculations: { count: number; growth: number };
  /** A condition within a value. */
  readonly condition: (filter: Filter) => Sql;
  /** A function of values, or the choice between two. */
  readonly called: (scalar: Called, ground: Ground) => Typed;
};

const MAX_CALCULATIONS = 50;

export function placed({ layer }: Ground): VectorLayer {
  if (layer.geometry === undefined) throw new NotPossible('the rows of this table have no geometry');
  return { ...layer, geometry: layer.geometry };
}

export function truth(of: boolean): Sql {
  return of ? sql`true` : sql`false`;
}

const SIGNS = { '+': raw('+'), '-': raw('-'), '*': raw('*') } as const;

/** What a value is, as far as functions ask; `any`: a type of its own, which the database judges. */
export type ValueType = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'time' | 'geometry' | 'any';

export type Typed = {
  readonly sql: Sql;
  readonly type: ValueType;
  /** True of a row in which something could not be read, such as a number in a text; undefined: nothing is read. */
  readonly fails: Sql | undefined;
};

export function scalarSql(scalar: Scalar, ground: Ground): Sql {
  return typedScalar(scalar, ground).sql;
}

export function typedScalar(scalar: Scalar, ground: Ground): Typed {
  switch (scalar.kind) {
    case 'property':
      return ofColumn(scalar.name, ground.layer);
    case 'text':
      return sound(textValue(scalar.value), 'text');
    case 'number':
      return sound(numberValue(scalar.value), isBigint(scalar.value) ? 'integer' : 'number');
    case 'truth':
      return sound(truth(scalar.value), 'boolean');
    case 'when':
      if (scalar.value.kind === 'interval') throw new NotPossible('an interval can only stand in a temporal function');
      return sound(startOf(scalar.value.at), 'time');
    case 'arithmetic':
      return arithmetic(scalar, ground);
    case 'fold': {
      if (scalar.what === 'accent')
        throw new NotPossible('"accenti" is not known here: compare with "casei", or the text itself');
      // Of a text that the client wrote, once for the statement and not for every row.
      if (scalar.of.kind === 'text') return sound(sql`(select lower(${asText(textValue(scalar.of.value))}))`, 'text');
      const of = typedScalar(scalar.of, ground);
      return { sql: sql`lower(${asText(of.sql)})`, type: 'text', fails: of.fails };
    }
    case 'call':
    case 'if':
      calculate(ground);
      return ground.called(scalar, ground);
    case 'shape':
      throw new NotPossible('a geometry can only stand in a function of geometries');
    default:
      return assertNever(scalar);
  }
}

export function sound(of: Sql, type: ValueType): Typed {
  return { sql: of, type, fails: undefined };
}

function calculate({ calculations }: Ground): void {
  calculations.count += 1;
  if (calculations.count > MAX_CALCULATIONS) throw new NotPossible(`at most ${MAX_CALCULATIONS} calculations are made`);
}

type ArithmeticScalar = Extract<Scalar, { kind: 'arithmetic' }>;

function arithmetic({ op, left: a, right: b }: ArithmeticScalar, ground: Ground): Typed {
  calculate(ground);
  const [one, other] = [operand(a, ground), operand(b, ground)];
  const types = [one.type, other.type];
  const type = types.includes('any')
    ? 'any'
    : types.includes('number') || op === '/' || op === '^'
      ? 'number'
      : 'integer';
  const fails = anyOf([one.fails, other.fails]);
  const [left, right] = [one.sql, other.sql];
  const of = (said: Sql): Typed => ({ sql: said, type, fails });
  // A divisor of nothing has no result.
  if (op === 'div') return of(sql`div((${left})::numeric, nullif((${right})::numeric, 0))`);
  // Whole numbers are not cut off, and a remainder needs numbers that have one.
  if (op === '/') return of(sql`((${left})::numeric / nullif((${right})::numeric, 0))`);
  if (op === '%') return of(sql`mod((${left})::numeric, nullif((${right})::numeric, 0))`);
  // Exact powers may have a hundred thousand digits.
  if (op === '^') return of(sql`((${left})::double precision ^ (${right})::double precision)`);
  return of(sql`(${left} ${SIGNS[op]} ${right})`);
}

const LONGEST_OPERAND = 40;

/** Products of long numbers are longer still, and each row would pay for it: such a number is calculated with as a double. */
function operand(scalar: Scalar, ground: Ground): Typed {
  if (scalar.kind === 'number' && scalar.value.length > LONGEST_OPERAND)
    return sound(sql`${value(scalar.value)}::double precision`, 'number');
  const typed = typedScalar(scalar, ground);
  // A bare text takes the type of what it is calculated with.
  if (scalar.kind === 'text') return { ...typed, type: 'any' };
  if (typed.type === 'text')
    throw new NotPossible('texts are not calculated with: "to_number" reads a number, "concat" joins texts');
  if (typed.type === 'date' || typed.type === 'time')
    throw new NotPossible('dates are not calculated with: "days_between" tells how far they are apart');
  if (typed.type !== 'integer' && typed.type !== 'number' && typed.type !== 'any')
    throw new NotPossible('only numbers are calculated with');
  return typed;
}

/** True where one of them is. */
export function anyOf(conditions: readonly (Sql | undefined)[]): Sql | undefined {
  const some = conditions.filter((one) => one !== undefined);
  return some.length === 0 ? undefined : sql`(${join(some, ' or ')})`;
}

export function asText(expression: Sql): Sql {
  return sql`(${expression})::text`;
}

/** It takes the type of what it is compared with. */
function textValue(text: string): Sql {
  if (text.includes('\0')) throw new NotPossible('a text cannot hold the character 0');
  return value(text);
}

/** To the last digit: as a bigint, which the index of a column of whole numbers knows, or as a numeric, which any column is compared with. */
function numberValue(numeral: string): Sql {
  return isBigint(numeral) ? sql`${value(numeral)}::bigint` : sql`${value(numeral)}::numeric`;
}

const BIGINT = { least: -(2n ** 63n), most: 2n ** 63n - 1n };

function isBigint(numeral: string): boolean {
  if (!/^-?\d{1,19}$/.test(numeral)) return false;
  const whole = BigInt(numeral);
  return whole >= BIGINT.least && whole <= BIGINT.most;
}

function ofColumn(name: string, layer: LayerTable): Typed {
  const column = layer.columns.find((one) => one.name === name);
  if (column === undefined) {
    // Functions of geometries look for it themselves.
    if (name === layer.geometry?.column)
      throw new NotPossible(`"${name}" is a geometry: only functions of geometries take it`);
    throw new NotPossible(`there is no property "${name.slice(0, 100)}"`);
  }
  if (columnClass(column.type) === 'bytes') throw new NotPossible(`"${name}" cannot be filtered by`);
  return sound(columnOf(name), valueType(column));
}

/** Of a column, by its type as format_type prints it. */
export function valueType({ type }: Pick<LayerColumn, 'type'>): ValueType {
  const known = columnClass(type);
  if (known === 'json' || known === 'bytes') return 'any';
  return known === 'text' && !/^(?:text|character)/.test(type) ? 'any' : known;
}

/** Days are those of UTC. */
export function startOf(at: string): Sql {
  return moment(at.includes('T') ? at : `${at}T00:00:00Z`);
}
