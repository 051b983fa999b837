// The rows of a body as a FROM item. PostgreSQL reads the JSON itself, with the columns' own types.

import { ident, join, literal, raw } from '../../sql/index.ts';
import type { WriteColumn, WriteSource } from '../plan/plan.ts';
import { BODY, FORM_JSON, type Sql, sql } from './bind.ts';

export const BODY_ROWS = 'survest_body';

type Payload = {
  readonly columns: readonly WriteColumn[];
  readonly source: WriteSource;
  readonly fillDefaults: boolean;
};

/** `from … as survest_body`: one row for each object of the body. */
export function payloadRowsSql({ columns, source, fillDefaults }: Payload): Sql {
  const isArray = source.kind === 'json' && source.isArray;
  const body = source.kind === 'form' ? FORM_JSON : BODY;
  if (columns.length === 0)
    return isArray
      ? sql`json_array_elements(${body}::json) as ${ident(BODY_ROWS)}`
      : sql`(select) as ${ident(BODY_ROWS)}`;
  const types = columns.map(
    ({ column, fromJson }) => sql`${ident(column.name)} ${raw(fromJson === undefined ? column.nominalType : 'json')}`,
  );
  const as = sql`as ${ident(BODY_ROWS)}(${join(types)})`;
  const defaults = fillDefaults ? columns.filter(({ column }) => column.default !== null) : [];
  if (defaults.length === 0)
    return isArray ? sql`json_to_recordset(${body}::json) ${as}` : sql`json_to_record(${body}::json) ${as}`;
  // What the object has goes over the defaults, which are worked out anew for each.
  const filled = sql`jsonb_build_object(${join(defaults.map(({ column }) => sql`${literal(column.name)}, ${raw(column.default ?? 'null')}`))})`;
  return isArray
    ? sql`jsonb_to_recordset((select coalesce(jsonb_agg(${filled} || e), '[]') from jsonb_array_elements(${body}::jsonb) as e)) ${as}`
    : sql`jsonb_to_record(${filled} || ${body}::jsonb) ${as}`;
}

/** A written column's value, read by its domain's own cast where it has one. */
export function payloadValueSql({ column, fromJson }: WriteColumn): Sql {
  const value = ident(BODY_ROWS, column.name);
  return fromJson === undefined ? value : sql`${raw(fromJson)}(${value})`;
}
