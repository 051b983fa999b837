// The rows of a body as a FROM item. PostgreSQL reads the JSON itself, with the columns' own types.

import { ident, join, literal, raw } from '../../sql/index.ts';
import type { WriteColumn, WriteSource } from '../plan/plan.ts';
import { type Bind, BODY, FORM_JSON, type Sql, sql } from './bind.ts';

export const BODY_ROWS = 'survest_body';

type Payload = {
  readonly columns: readonly WriteColumn[];
  readonly source: WriteSource;
  readonly fillDefaults: boolean;
};

/** `from … as survest_body`: one row for each object of the body, its values of the columns' types. */
export function payloadRowsSql(payload: Payload): Sql {
  const { columns, source } = payload;
  const isArray = source.kind === 'json' && source.isArray;
  const body = source.kind === 'form' ? FORM_JSON : BODY;
  if (columns.length === 0)
    return isArray
      ? sql`json_array_elements(${body}::json) as ${ident(BODY_ROWS)}`
      : sql`(select) as ${ident(BODY_ROWS)}`;
  const records = payload.fillDefaults ? filledRecordsSql(columns, body, isArray) : recordsSql(body, isArray);
  const types = columns.map(
    ({ column, fromJson }) => sql`${ident(column.name)} ${raw(fromJson === undefined ? column.nominalType : 'json')}`,
  );
  const rows = sql`${records} as ${ident(BODY_ROWS)}(${join(types)})`;
  if (columns.every(({ fromJson }) => fromJson === undefined)) return rows;
  return sql`(select ${join(columns.map(readValueSql))} from ${rows}) as ${ident(BODY_ROWS)}`;
}

function recordsSql(body: Bind, isArray: boolean): Sql {
  return isArray ? sql`json_to_recordset(${body}::json)` : sql`json_to_record(${body}::json)`;
}

/** What the object has goes over the defaults, which are worked out anew for each. */
function filledRecordsSql(columns: readonly WriteColumn[], body: Bind, isArray: boolean): Sql {
  const defaults = columns.filter(({ column }) => column.default !== null).map(defaultSql);
  const filled = sql`jsonb_build_object(${join(defaults)})`;
  return isArray
    ? sql`jsonb_to_recordset((select coalesce(jsonb_agg(${filled} || e), '[]') from jsonb_array_elements(${body}::jsonb) as e))`
    : sql`jsonb_to_record(${filled} || ${body}::jsonb)`;
}

/** A default is read together with what came, so it takes the form that a client would send. */
function defaultSql({ column, fromJson, toJson }: WriteColumn): Sql {
  const value = raw(column.default ?? 'null');
  const form =
    fromJson === undefined || toJson === undefined
      ? value
      : sql`${raw(toJson)}((${value})::${raw(column.nominalType)})`;
  return sql`${literal(column.name)}, ${form}`;
}

/** A value as its domain's own cast reads it, where it has one. */
function readValueSql({ column, fromJson }: WriteColumn): Sql {
  const value = ident(BODY_ROWS, column.name);
  return fromJson === undefined ? value : sql`${raw(fromJson)}(${value}) as ${ident(column.name)}`;
}

export function payloadValueSql({ column }: WriteColumn): Sql {
  return ident(BODY_ROWS, column.name);
}
