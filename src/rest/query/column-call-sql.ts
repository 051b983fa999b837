// Functions of a column's value as SQL: each name of the closed list becomes a function of PostgreSQL. Units, time zones and numbers
// stand in the text, so that the same expression is the same to GROUP BY and to an index.

import { assertNever } from '../../kernel/assert-never.ts';
import { literal, raw } from '../../sql/index.ts';
import type { CallArgument, ColumnCall } from '../request/api-request.ts';
import { type Sql, sql } from './bind.ts';

export function columnCallSql(value: Sql, { name, args }: ColumnCall): Sql {
  const [first, second] = args;
  switch (name) {
    case 'trunc':
      return second === undefined
        ? sql`pg_catalog.date_trunc(${wordOf(first)}, ${value})`
        : sql`pg_catalog.date_trunc(${wordOf(first)}, ${value}, ${wordOf(second)})`;
    case 'part':
      return second === undefined
        ? sql`pg_catalog.date_part(${wordOf(first)}, ${value})`
        : sql`pg_catalog.date_part(${wordOf(first)}, ${value} at time zone ${wordOf(second)})`;
    case 'bucket':
      return sql`(pg_catalog.floor(${value} / ${numberOf(first)}::numeric) * ${numberOf(first)}::numeric)`;
    case 'round':
      return first === undefined
        ? sql`pg_catalog.round(${value})`
        : sql`pg_catalog.round(${value}::numeric, ${numberOf(first)})`;
    case 'floor':
    case 'ceil':
    case 'abs':
    case 'lower':
    case 'upper':
    case 'length':
      return sql`${raw(`pg_catalog.${name}`)}(${value})`;
    default:
      return assertNever(name);
  }
}

function wordOf(argument: CallArgument | undefined): Sql {
  if (argument?.kind !== 'word') throw new Error('the parser sees to words');
  return literal(argument.word);
}

function numberOf(argument: CallArgument | undefined): Sql {
  if (argument?.kind !== 'number') throw new Error('the parser sees to numbers');
  return raw(argument.number);
}
