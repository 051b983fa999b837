// A field as SQL: its column, and the way into its JSON. Keys stand as literals, not as parameters, so that indexes on
// the same expression apply.

import { ident, join, literal, raw } from '../../sql/index.ts';
import type { FieldRef } from '../plan/plan.ts';
import { type Sql, sql } from './bind.ts';
import { columnCallSql } from './column-call-sql.ts';

export function fieldSql(alias: string, field: FieldRef): Sql {
  const value = storedSql(alias, field);
  if (field.cast === undefined && field.calls === undefined) return value;
  return (field.calls ?? []).reduce((inner, call) => columnCallSql(inner, call), castSql(value, field.cast));
}

/**
 * The parser lets only letters, digits, `_`, `$` and blanks into a cast. Of these a `$` that begins a word could open a
 * dollar-quoted text: what is not plain words is one name, of a type that does not exist.
 */
export function castSql(value: Sql, cast: string | undefined): Sql {
  if (cast === undefined) return value;
  return sql`cast(${value} as ${PLAIN_WORDS.test(cast) ? raw(cast) : ident(cast)})`;
}

const PLAIN_WORDS = /^[\p{L}_][\p{L}0-9_$]*(?: +[\p{L}_][\p{L}0-9_$]*)*$/u;

function storedSql(alias: string, field: FieldRef): Sql {
  const column =
    field.rowType === undefined
      ? ident(alias, field.column)
      : sql`(${ident(alias)}.*::${ident(field.rowType.schema, field.rowType.name)}).${ident(field.column)}`;
  if (field.path.length === 0) return column;
  const steps = field.path.map(({ arrow, operand }) =>
    // A bare negative index would read as part of the operator: `->-1`.
    operand.kind === 'key' ? sql`${raw(arrow)}${literal(operand.key)}` : raw(`${arrow}(${operand.index})`),
  );
  const start = field.viaJsonb ? sql`to_jsonb(${column})` : sql`${column}`;
  return join([start, ...steps], '');
}
