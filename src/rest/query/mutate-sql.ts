// Writes as SQL: one statement each, whatever the number of rows.

import { assertNever } from '../../kernel/assert-never.ts';
import { empty, ident, join, where } from '../../sql/index.ts';
import type { Condition, Mutation, Returning } from '../plan/plan.ts';
import type { Table } from '../schema-cache/schema-cache.ts';
import { type Sql, sql } from './bind.ts';
import { conditionSql } from './condition-sql.ts';
import { nestedCtes, nestedProblemSql, nestedRootSql } from './nested-sql.ts';
import { BODY_ROWS, payloadRowsSql, payloadValueSql } from './payload-sql.ts';
import { raiseManySql } from './raise-sql.ts';
import { rowsBeforeSql, specialUpdateSql, updateProblemSql } from './update-sql.ts';
import { updatedRowsSql } from './updated-rows.ts';

/** `raises`: what is wrong with a row fails where it is found (`raise-sql.ts`), and nothing counts it. */
export function mutateSql(change: Mutation, returning: Returning, raises: boolean): Sql {
  switch (change.kind) {
    case 'insert':
      return insertSql(change, returning);
    case 'update':
      return updateSql(change, returning);
    case 'update-each':
    case 'merge':
    case 'json-patch':
      return specialUpdateSql(change, {
        conditions: conditionsSql(change.where, change.table.name),
        returning: returnedColumnsSql(change.table, returning),
        raises,
      });
    case 'nested':
      return nestedRootSql(change.root, returning.kind === 'columns' ? returning.columns : []);
    case 'delete':
      return sql`delete from ${tableSql(change.table)}${whereSql(change.where, change.table.name)} ${returningSql(change.table, returning)}`;
    default:
      return assertNever(change);
  }
}

function insertSql(change: Extract<Mutation, { kind: 'insert' }>, returning: Returning): Sql {
  const { table, columns, conflict } = change;
  const rows = payloadRowsSql(change);
  const names = columns.length === 0 ? empty : sql`(${join(columns.map(({ column }) => ident(column.name)))})`;
  const from =
    change.only.length > 0 && change.source.kind === 'json' && change.source.isArray
      ? onlyOneSql(rows, change.only)
      : sql`${rows}${whereSql(change.only, BODY_ROWS)}`;
  const selected = sql`select ${join(columns.map(payloadValueSql))} from ${from}`;
  return join(
    [
      sql`insert into ${tableSql(table)}${names}`,
      selected,
      conflict === undefined ? empty : conflictSql(change, conflict),
      returningSql(table, returning),
    ],
    ' ',
  );
}

/** Two rows of the same key would be an error about ON CONFLICT, which the client has not asked for. */
function onlyOneSql(rows: Sql, only: readonly Condition[]): Sql {
  const count = ident(BODY_ROWS, 'survest_count');
  return sql`(select *, count(*) over () as survest_count from ${rows}${whereSql(only, BODY_ROWS)}) as ${ident(BODY_ROWS)} where ${raiseManySql(count)} is null`;
}

function conflictSql(
  change: Extract<Mutation, { kind: 'insert' }>,
  conflict: { readonly on: readonly string[]; readonly resolve: 'merge' | 'ignore' },
): Sql {
  const on = join(conflict.on.map((name) => ident(name)));
  if (conflict.resolve === 'ignore' || change.columns.length === 0) return sql`on conflict (${on}) do nothing`;
  const set = change.columns.map(({ column }) => sql`${ident(column.name)} = excluded.${ident(column.name)}`);
  // Nothing tells an updated row from an inserted one afterwards on every kind of relation, so updates count themselves.
  return sql`on conflict (${on}) do update set ${join(set)} where set_config('survest.updated', (${updatedRowsSql} + 1)::text, true) <> ''`;
}

function updateSql(change: Extract<Mutation, { kind: 'update' }>, returning: Returning): Sql {
  const { table, columns } = change;
  if (columns.length === 0)
    return sql`select ${returnedColumnsSql(table, returning)} from ${tableSql(table)} where false`;
  const set = columns.map((column) => sql`${ident(column.column.name)} = ${payloadValueSql(column)}`);
  // Of several objects the first is applied to every row; a set of different rows is an upsert's business.
  const rows = sql`(select * from ${payloadRowsSql(change)} limit 1) as ${ident(BODY_ROWS)}`;
  return sql`update ${tableSql(table)} set ${join(set)} from ${rows}${whereSql(change.where, table.name)} ${returningSql(table, returning)}`;
}

function tableSql(table: Table): Sql {
  return ident(table.schema, table.name);
}

function whereSql(conditions: readonly Condition[], alias: string): Sql {
  return where(conditionsSql(conditions, alias));
}

function conditionsSql(conditions: readonly Condition[], alias: string): readonly Sql[] {
  return conditions.map((condition) =>
    conditionSql(condition, alias, () => {
      throw new Error('a write has no embeds to test');
    }),
  );
}

/** What a write needs before it, as CTEs, and what it counts for its check. */
export function aroundMutation(
  change: Mutation,
  raises: boolean,
): { readonly before: Sql; readonly problem: Sql } | undefined {
  if (raises && change.kind === 'json-patch') return undefined;
  switch (change.kind) {
    case 'update-each':
    case 'merge':
    case 'json-patch': {
      const conditions = conditionsSql(change.where, change.table.name);
      return { before: rowsBeforeSql(change, conditions), problem: updateProblemSql(change, conditions) };
    }
    case 'nested':
      return { before: nestedCtes(change.root, change.isArray), problem: nestedProblemSql(change.root) };
    default:
      return undefined;
  }
}

function returningSql(table: Table, returning: Returning): Sql {
  return sql`returning ${returnedColumnsSql(table, returning)}`;
}

/** Only what the answer needs: a column that is not named needs no SELECT privilege. */
export function returnedColumnsSql(table: Table, returning: Returning): Sql {
  switch (returning.kind) {
    case 'nothing':
      return sql`1`;
    case 'columns':
      return join(returning.columns.map((name) => ident(table.name, name)));
    case 'all':
      return sql`${ident(table.name)}.*`;
    default:
      return assertNever(returning);
  }
}
