// The statements of a live stream: all of its rows, each with its key, and the same for the rows of certain keys alone.

import { ident, join, type Rendered, raw, render } from '../../sql/index.ts';
import type { OrderBy, Output, ReadNode } from '../plan/plan.ts';
import type { Table } from '../schema-cache/schema-cache.ts';
import { type Bind, KEYS, type Sql, sql } from './bind.ts';
import { ROWS } from './body-sql.ts';
import { shownColumnsSql } from './keyset-sql.ts';
import { readSql } from './read-sql.ts';

export type LiveQuery = {
  /** Result columns: the key as JSON, null where rows have none; the row as JSON. */
  readonly whole: Rendered<Bind>;
  /**
   * Result columns: the key as JSON; the row as JSON, null where there is none to be seen. Undefined: which rows there are does not follow
   * from the rows of the table one by one.
   */
  readonly byKey: Rendered<Bind> | undefined;
  /** Columns of the key, in the order in which `byKey` takes their values. */
  readonly key: readonly string[];
};

/** `most`: rows that are asked for at all. */
export function liveQuery(tree: ReadNode, table: Table, most: number): LiveQuery {
  const { limit } = tree.window;
  const bounded = { ...tree, window: { ...tree.window, limit: limit === undefined ? most : Math.min(limit, most) } };
  const keys = hasKeys(tree) ? table.primaryKey : [];
  return {
    whole: render(wholeSql(bounded, keys)),
    byKey: keys.length > 0 && isRowByRow(tree, table) ? render(byKeySql(tree, table)) : undefined,
    key: keys,
  };
}

const PAGE = 'survest_page';

function wholeSql(tree: ReadNode, keys: readonly string[]): Sql {
  if (keys.length === 0)
    return sql`select null, row_to_json(${ident(ROWS)}.*) from (${readSql(tree)}) as ${ident(ROWS)}`;
  const key = keyJsonSql(keys, (i) => ident(PAGE, `k${i + 1}`));
  return sql`select ${key}, row_to_json(${ident(ROWS)}.*) from (${namedRowsSql(tree, keys)}) as ${ident(PAGE)} cross join lateral (select ${shownColumnsSql(tree.outputs, PAGE)}) as ${ident(ROWS)}`;
}

function byKeySql(tree: ReadNode, { primaryKey, columns }: Table): Sql {
  const asked = 'survest_asked';
  const found = 'survest_found';
  const typed = primaryKey.map((name, i) => {
    const type = columns.get(name)?.nominalType ?? 'text';
    return sql`(e.k ->> ${raw(String(i))})::${raw(type)} as ${ident(`k${i + 1}`)}`;
  });
  // Without an order the planner can take the rows by their keys, one by one.
  const rows = sql`select ${ident(PAGE)}.*, row_to_json(${ident(ROWS)}.*) as shown from (${namedRowsSql({ ...tree, order: [] }, primaryKey)}) as ${ident(PAGE)} cross join lateral (select ${shownColumnsSql(tree.outputs, PAGE)}) as ${ident(ROWS)}`;
  const on = primaryKey.map((_, i) => sql`${ident(found, `k${i + 1}`)} = ${ident(asked, `k${i + 1}`)}`);
  return sql`with ${ident(asked)} as (select distinct ${join(typed)} from jsonb_array_elements(${KEYS}::jsonb) as e(k)) select ${keyJsonSql(primaryKey, (i) => ident(asked, `k${i + 1}`))}, ${ident(found)}.shown from ${ident(asked)} left join (${rows}) as ${ident(found)} on ${join(on, ' and ')}`;
}

/** Outputs as `o1`, `o2` …, and the key's columns as `k1`, `k2` …: what is shown may have any names. */
function namedRowsSql(tree: ReadNode, keys: readonly string[]): Sql {
  const named = {
    ...tree,
    outputs: tree.outputs.map((output, i) => ({ ...output, name: `o${i + 1}` }) as Output),
    order: tree.order.map((by) => renamed(by, tree.outputs)),
  };
  return readSql(
    named,
    keys.map((name, i) => sql`${ident(tree.alias, name)} as ${ident(`k${i + 1}`)}`),
  );
}

/** An order by what is shown under a name goes by its new one. */
function renamed(order: OrderBy, outputs: readonly Output[]): OrderBy {
  const { by } = order;
  if (by.kind !== 'shown') return order;
  const at = outputs.findIndex((output) => output.kind !== 'star' && output.name === by.name);
  return { ...order, by: { kind: 'shown', name: `o${at + 1}` } };
}

function keyJsonSql(names: readonly string[], value: (at: number) => Sql): Sql {
  const columns = names.map((name, i) => sql`${value(i)} as ${ident(name)}`);
  return sql`(select row_to_json(survest_key.*) from (select ${join(columns)}) as survest_key)`;
}

/** Groups and distinct rows are of several rows. */
function hasKeys({ grouped, distinct }: ReadNode): boolean {
  return !grouped && distinct === undefined;
}

/** Whether a row is shown, and how, depends on nothing but itself; policies aside. */
function isRowByRow(tree: ReadNode, { kind }: Table): boolean {
  return (
    (kind === 'table' || kind === 'partitioned-table') &&
    tree.embeds.length === 0 &&
    tree.window.limit === undefined &&
    tree.window.offset === 0 &&
    tree.having === undefined &&
    tree.seek === undefined &&
    !tree.outputs.some(looksAround)
  );
}

function looksAround(output: Output): boolean {
  return output.kind === 'window' || ('over' in output && output.over !== undefined);
}
