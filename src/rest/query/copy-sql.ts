// An insert of many rows that nobody wants to see again, as COPY: PostgreSQL reads its text in less time than JSON, and writes the rows by pages
// instead of one by one. 100 rows take 0.6 of the time (docs/performance.md).

import { ident, join, literal, quoteIdent, type Rendered, render } from '../../sql/index.ts';
import type { MutatePlan, WriteColumn } from '../plan/plan.ts';
import type { Table } from '../schema-cache/schema-cache.ts';
import { type Bind, type Sql, sql } from './bind.ts';

export type CopyQuery = {
  readonly statement: Rendered<Bind>;
  /** Behind it. Result columns: response headers, response status. */
  readonly response: Rendered<Bind>;
  /** In the order of their cells. */
  readonly columns: readonly string[];
};

/** Undefined: it has to be an INSERT. */
export function copyQuery(
  { change, returning, locate, media: { explain } }: MutatePlan,
  response: Sql,
): CopyQuery | undefined {
  if (change.kind !== 'insert' || explain !== undefined) return undefined;
  if (returning.kind !== 'nothing' || locate !== undefined || change.conflict !== undefined) return undefined;
  const { table, columns, source, fillDefaults, only } = change;
  if (fillDefaults || only.length > 0 || columns.length === 0) return undefined;
  if (source.kind !== 'json' || !source.isArray || !COPIED.has(table.kind)) return undefined;
  if (!columns.every(isCopied)) return undefined;
  const names = columns.map(({ column }) => ident(column.name));
  return {
    statement: render(sql`copy ${ident(table.schema, table.name)}(${join(names)}) from stdin`),
    response: render(sql`${response}, ${rulesProblemSql(table)}`),
    columns: columns.map(({ column: { name } }) => name),
  };
}

const COPIED: ReadonlySet<Table['kind']> = new Set(['table', 'partitioned-table']);

/** COPY writes, too, what the column says that only the database may. Of JSON, a string would have to stay one. */
function isCopied({ column: { generated, baseType }, fromJson }: WriteColumn): boolean {
  return fromJson === undefined && generated !== true && baseType !== 'json' && baseType !== 'jsonb';
}

/** COPY passes by the rules of a table, without a word; then it fails here, and what it wrote with it. Row security it refuses by itself. */
function rulesProblemSql({ schema, name }: Table): Sql {
  const of = literal(`${quoteIdent(schema)}.${quoteIdent(name)}`);
  return sql`(select case when c.relhasrules then ('rules of ' || c.relname)::integer end from pg_catalog.pg_class as c where c.oid = ${of}::regclass)`;
}
