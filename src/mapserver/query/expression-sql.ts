// An expression → what a column of a layer becomes by it: its value in the type of the column, and in which rows it cannot be. Pure.

import type { CqlError, Scalar } from '../../geo/cql/cql.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { LayerTable } from '../../layer-ports/layer.ts';
import { raw, sql } from '../../sql/index.ts';
import { columnClass } from '../columns/column-class.ts';
import { groundOf } from './filter-sql.ts';
import { asDay, asMoment, ownValue, read } from './function-sql.ts';
import { WGS84 } from './known-crs.ts';
import { anyOf, asText, NotPossible, type Typed, type ValueType, valueType } from './scalar-sql.ts';
import { type Sql, whole } from './value.ts';

export type Assigned = {
  /** Of the row `f`, in the type of the column. */
  readonly value: Sql;
  /** True of a row in which the value cannot be read, or has no place in the column; undefined: there is none. */
  readonly fails: Sql | undefined;
};

/** `type`: of the column, as format_type prints it; undefined: one that suits the values, which is said back. */
export function expressionToSql(
  expression: Scalar,
  layer: LayerTable,
  type: string | undefined,
): Result<Assigned & { readonly type: string }, CqlError> {
  try {
    const typed = ownValue(expression, groundOf(layer, WGS84));
    const chosen = type ?? SUITABLE[typed.type];
    if (chosen === undefined) throw new NotPossible('the type of the new column has to be said');
    return ok({ ...assigned(typed, chosen), type: chosen });
  } catch (error) {
    if (error instanceof NotPossible) return err({ kind: 'bad-filter', said: error.message });
    throw error;
  }
}

const SUITABLE: Readonly<Record<ValueType, string | undefined>> = {
  text: 'text',
  integer: 'bigint',
  number: 'double precision',
  boolean: 'boolean',
  date: 'date',
  time: 'timestamp with time zone',
  geometry: undefined,
  any: undefined,
};

const ENDS: Readonly<Record<string, string>> = {
  smallint: '32767',
  integer: '2147483647',
  bigint: '9223372036854775807',
};

function assigned(typed: Typed, type: string): Assigned {
  const kind = columnClass(type);
  const own = valueType({ type });
  switch (kind) {
    case 'integer': {
      const { sql: of, fails } = read(typed, 'integer');
      const end = raw(ENDS[type] ?? ENDS['integer'] ?? '0');
      const fits = sql`(${of}) between -${end} and ${end}`;
      return {
        value: sql`(case when ${fits} then (${of})::${raw(type)} end)`,
        fails: anyOf([fails, sql`not (${fits})`]),
      };
    }
    case 'number': {
      const { sql: of, fails } = read(typed, 'number');
      return { value: sql`(${of})::${raw(type)}`, fails };
    }
    case 'boolean': {
      const { sql: of, fails } = read(typed, 'boolean');
      return { value: of, fails };
    }
    case 'date': {
      const { sql: of, fails } = typed.type === 'time' ? asDay(typed) : read(typed, 'date');
      return { value: of, fails };
    }
    case 'time': {
      const { sql: of, fails } = typed.type === 'date' ? asMoment(typed) : read(typed, 'time');
      return { value: type.endsWith('without time zone') ? sql`(${of} at time zone 'UTC')` : of, fails };
    }
    case 'text':
      return own === 'text'
        ? words(typed, type)
        : { value: sql`${asText(typed.sql)}::${raw(type)}`, fails: typed.fails };
    default:
      throw new NotPossible('a column of this type cannot be calculated');
  }
}

/** Texts that are too long for the column have no place in it: the database would cut them. */
function words({ sql: of, fails }: Typed, type: string): Assigned {
  const longest = /\((\d+)\)/.exec(type)?.[1];
  const text = asText(of);
  if (longest === undefined) return { value: text, fails };
  const fits = sql`(char_length(${text}) <= ${whole(Number(longest))})`;
  return { value: sql`(case when ${fits} then ${text} end)`, fails: anyOf([fails, sql`not ${fits}`]) };
}
