// A field as SQL: its column, and the way into its JSON. Keys stand as literals, not as parameters, so that indexes on
// the same expression apply.

import { ident, join, literal, raw } from '../../sql/index.ts';
import type { FieldRef } from '../plan/plan.ts';
import { type Sql, sql } from './bind.ts';

export function fieldSql(alias: string, field: FieldRef): Sql {
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
