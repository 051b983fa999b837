// A value of CQL2 → SQL of the row that is called `f`. Names become columns of the layer, values are parameters. Pure.

import type { Scalar } from '../../geo/cql/cql.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import type { LayerTable, VectorLayer } from '../../layer-ports/layer.ts';
import { raw, sql } from '../../sql/index.ts';
import { columnClass } from '../columns/column-class.ts';
import type { KnownCrs } from './known-crs.ts';
import { columnOf } from './layer-sql.ts';
import { moment } from './time-sql.ts';
import { type Sql, value } from './value.ts';

/** What a compiler of one filter throws; it does not leave this folder. */
export class NotPossible extends Error {}

export type Ground = {
  readonly layer: LayerTable;
  readonly crs: KnownCrs;
  /** Each is done for every row. */
  readonly calculations: { count: number };
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

export function scalarSql(scalar: Scalar, ground: Ground): Sql {
  switch (scalar.kind) {
    case 'property':
      return columnSql(scalar.name, ground.layer);
    case 'text':
      return textValue(scalar.value);
    case 'number':
      return numberValue(scalar.value);
    case 'truth':
      return truth(scalar.value);
    case 'when':
      if (scalar.value.kind === 'interval') throw new NotPossible('an interval can only stand in a temporal function');
      return startOf(scalar.value.at);
    case 'arithmetic': {
      ground.calculations.count += 1;
      if (ground.calculations.count > MAX_CALCULATIONS)
        throw new NotPossible(`a filter calculates ${MAX_CALCULATIONS} times at most`);
      const [left, right] = [operandSql(scalar.left, ground), operandSql(scalar.right, ground)];
      if (scalar.op === 'div') return sql`div((${left})::numeric, (${right})::numeric)`;
      // Whole numbers are not cut off, and a remainder needs numbers that have one.
      if (scalar.op === '/') return sql`((${left})::numeric / nullif((${right})::numeric, 0))`;
      if (scalar.op === '%') return sql`mod((${left})::numeric, nullif((${right})::numeric, 0))`;
      // Exact powers may have a hundred thousand digits.
      if (scalar.op === '^') return sql`((${left})::double precision ^ (${right})::double precision)`;
      return sql`(${left} ${SIGNS[scalar.op]} ${right})`;
    }
    case 'fold':
      if (scalar.what === 'accent')
        throw new NotPossible('"accenti" is not known here: compare with "casei", or the text itself');
      // Of a text that the client wrote, once for the statement and not for every row.
      return scalar.of.kind === 'text'
        ? sql`(select lower(${asText(textValue(scalar.of.value))}))`
        : sql`lower(${asText(scalarSql(scalar.of, ground))})`;
    default:
      return assertNever(scalar);
  }
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

const LONGEST_OPERAND = 40;

/** Products of long numbers are longer still, and each row would pay for it: such a number is calculated with as a double. */
function operandSql(scalar: Scalar, ground: Ground): Sql {
  if (scalar.kind !== 'number' || scalar.value.length <= LONGEST_OPERAND) return scalarSql(scalar, ground);
  return sql`${value(scalar.value)}::double precision`;
}

function columnSql(name: string, layer: LayerTable): Sql {
  const column = layer.columns.find((one) => one.name === name);
  if (column === undefined) throw new NotPossible(`there is no property "${name.slice(0, 100)}" to filter by`);
  if (columnClass(column.type) === 'bytes') throw new NotPossible(`"${name}" cannot be filtered by`);
  return columnOf(name);
}

/** Days are those of UTC. */
export function startOf(at: string): Sql {
  return moment(at.includes('T') ? at : `${at}T00:00:00Z`);
}
