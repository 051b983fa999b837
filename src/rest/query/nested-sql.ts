// Rows with rows inside them as one statement: a chain of CTEs, for each level its objects (`e`), its rows with the keys of their parents filled in
// (`r`), the INSERT (`i`), and what it returned beside the place of each object (`n`). Foreign keys are checked when the whole
// statement is done.
//
// Which returned row belongs to which object: by the columns that decide a conflict, where they are known before; otherwise by place, since an
// INSERT returns rows in the order it was given them. The counts have to agree, which a check of the result sees to.

import { ident, join, literal, raw } from '../../sql/index.ts';
import type { NestedNode, WriteColumn } from '../plan/plan.ts';
import { BODY, type Sql, sql } from './bind.ts';
import { type RaiseRules, raiseCountedSql } from './raise-sql.ts';
import { updatedRowsSql } from './updated-rows.ts';

/** The setting that carries the keys of the written rows to the statement that reads them. */
const WRITTEN = 'survest.written';
const PROBLEM = 'survest.problem';

export function nestedCtes(root: NestedNode, isArray: boolean): Sql {
  const all = nodesOf(root);
  return join([
    objectsSql(root, undefined, isArray),
    ...childObjects(root),
    ...writes(root, undefined),
    ...all.flatMap((node) => pruneSql(node, root)),
  ]);
}

/** Root rows as the INSERT returned them. */
export function nestedRootSql(root: NestedNode, columns: readonly string[]): Sql {
  const shown = columns.length === 0 ? sql`1` : join(columns.map((name) => ident(name)));
  return sql`select ${shown} from ${cte('n', root)} order by survest_ord`;
}

/**
 * Objects without a row (a trigger left them out), objects whose own keys are not those of their parents, and objects whose key, made by a
 * default, is one that another object of the body has given: one row would hold both.
 */
export function nestedProblemSql(root: NestedNode): Sql {
  const nodes = nodesOf(root);
  const lost = nodes.map(
    (node) => sql`(select count(*) from ${cte('e', node)}) - (select count(*) from ${cte('n', node)})`,
  );
  const wrong = nodes.map((node) => sql`(select count(*) from ${cte('r', node)} where survest_wrong)`);
  const collided = nodes.flatMap((node) => (madeKeys(node).length === 0 ? [] : [collidedSql(node)]));
  const repeated = collided.length === 0 ? sql`` : sql`, 'repeated', ${join(collided, ' + ')}`;
  return sql`json_build_object('lost', ${join(lost, ' + ')}, 'contradicted', ${join(wrong, ' + ')}${repeated})`;
}

function collidedSql(node: NestedNode): Sql {
  const keys = join((node.conflict ?? []).map((name) => ident(name)));
  return sql`(select count(*) from (select 1 from ${cte('r', node)} group by ${keys} having count(*) > 1 and bool_or(survest_made)) as same)`;
}

/** Columns that decide a conflict, and have a default where an object leaves them out. */
function madeKeys({ conflict = [], columns, defaulted }: NestedNode): readonly string[] {
  const made = columns.filter(({ column }) => column.default !== null && defaulted.includes(column.name));
  return made.map(({ column }) => column.name).filter((name) => conflict.includes(name));
}

/** Hands the keys of the root's rows on to the next statement of the batch: what this one wrote, it cannot read itself. */
export function nestedHandOnSql(root: NestedNode, raise: RaiseRules | undefined): Sql {
  const { table } = root;
  const key = table.primaryKey.map((name) => sql`${literal(name)}, ${ident(name)}`);
  const written = sql`(select coalesce(json_agg(json_build_object(${join(key)}) order by survest_ord), '[]')::text from ${cte('n', root)})`;
  const counted = nestedProblemSql(root);
  const problem =
    raise === undefined
      ? sql`set_config(${literal(PROBLEM)}, ${counted}::text, true)`
      : raiseCountedSql(counted, raise);
  return sql`select set_config(${literal(WRITTEN)}, ${written}, true), ${problem}`;
}

/** The written rows, read by their keys. */
export function writtenRowsSql({ table }: NestedNode, columns: Sql): Sql {
  const types = table.primaryKey.map(
    (name) => sql`${ident(name)} ${raw(table.columns.get(name)?.nominalType ?? 'text')}`,
  );
  const names = table.primaryKey.map((name) => ident(name));
  const same = table.primaryKey.map((name) => sql`${ident(table.name, name)} = survest_w.${ident(name)}`);
  const written = sql`rows from (json_to_recordset(current_setting(${literal(WRITTEN)})::json) as (${join(types)})) with ordinality as survest_w(${join(names)}, survest_n)`;
  // Row by row, by the key: of a function's rows the planner thinks that they are a hundred, for which it would read the whole of a table
  // that is not very large, and with a prepared statement go on to do so when it has become so.
  const row = sql`(select ${columns} from ${ident(table.schema, table.name)} where ${join(same, ' and ')} offset 0)`;
  return sql`select ${ident(table.name)}.* from ${written} cross join lateral ${row} as ${ident(table.name)} order by survest_w.survest_n`;
}

export const handedOnProblemSql: Sql = sql`current_setting(${literal(PROBLEM)})`;

function cte(kind: 'e' | 'r' | 'i' | 'n' | 'j' | 'd', { index }: NestedNode): Sql {
  return ident(`survest_${kind}${index}`);
}

function nodesOf(root: NestedNode): readonly NestedNode[] {
  return [root, ...root.children.flatMap(nodesOf)];
}

function childObjects(node: NestedNode): readonly Sql[] {
  return node.children.flatMap((child) => [objectsSql(child, node, true), ...childObjects(child)]);
}

/** The objects of a level, numbered, with the number of the object that each is in. */
function objectsSql(node: NestedNode, parent: NestedNode | undefined, isArray: boolean): Sql {
  if (parent === undefined) {
    const list = isArray ? sql`${BODY}::json` : sql`json_build_array(${BODY}::json)`;
    return sql`${cte('e', node)} as materialized (select survest_ord, null::bigint as survest_parent, survest_e from json_array_elements(${list}) with ordinality as o(survest_e, survest_ord))`;
  }
  const value = sql`p.survest_e->${literal(node.name)}`;
  const objects = node.isList
    ? sql`${cte('e', parent)} as p, json_array_elements(case json_typeof(${value}) when 'array' then ${value} else '[]' end) with ordinality as o(e, n)`
    : sql`${cte('e', parent)} as p, lateral (select ${value} as e, 1 as n where json_typeof(${value}) = 'object') as o`;
  return sql`${cte('e', node)} as materialized (select row_number() over (order by p.survest_ord, o.n) as survest_ord, p.survest_ord as survest_parent, o.e as survest_e from ${objects})`;
}

/** Rows that others refer to come before them, those that refer to others behind. */
function writes(node: NestedNode, parent: NestedNode | undefined): readonly Sql[] {
  const above = node.children.filter(({ link }) => link?.kind === 'above');
  const below = node.children.filter(({ link }) => link?.kind !== 'above');
  return [
    ...above.flatMap((child) => writes(child, node)),
    rowsSql(node, parent),
    insertSql(node),
    numberedSql(node),
    ...junctionSql(node, parent),
    ...below.flatMap((child) => writes(child, node)),
  ];
}

/** Values with the types of their columns, and the keys that come from other levels. */
function rowsSql(node: NestedNode, parent: NestedNode | undefined): Sql {
  const filled = new Map<string, Sql>();
  const joins: Sql[] = [];
  if (node.link?.kind === 'below' && parent !== undefined) {
    joins.push(sql` join ${cte('n', parent)} as up on up.survest_ord = e.survest_parent`);
    for (const [above, own] of node.link.pairs) filled.set(own, sql`up.${ident(above)}`);
  }
  for (const child of node.children) {
    if (child.link?.kind !== 'above') continue;
    const from = ident(`up${child.index}`);
    joins.push(sql` left join ${cte('n', child)} as ${from} on ${from}.survest_parent = e.survest_ord`);
    for (const [own, above] of child.link.pairs) filled.set(own, sql`${from}.${ident(above)}`);
  }
  const given = new Map(node.columns.map((column) => [column.column.name, givenSql(node, column)]));
  const values = [...new Set([...given.keys(), ...filled.keys()])].map((name) => {
    const [own, from] = [given.get(name), filled.get(name)];
    const value = own !== undefined && from !== undefined ? sql`coalesce(${from}, ${own})` : (from ?? own ?? sql`null`);
    return sql`${value} as ${ident(name)}`;
  });
  const wrong = [...filled].flatMap(([name, from]) => {
    const own = given.get(name);
    return own === undefined
      ? []
      : [sql`(${own} is not null and ${from} is not null and ${own} is distinct from ${from})`];
  });
  const types = node.columns.map(
    ({ column, fromJson }) => sql`${ident(column.name)} ${raw(fromJson === undefined ? column.nominalType : 'json')}`,
  );
  const record = types.length === 0 ? sql`` : sql`, lateral json_to_record(e.survest_e) as v(${join(types)})`;
  const made = madeKeys(node).map((name) => sql`e.survest_e->>${literal(name)} is null`);
  const columns = [
    sql`e.survest_ord`,
    sql`e.survest_parent`,
    sql`${wrong.length === 0 ? sql`false` : join(wrong, ' or ')} as survest_wrong`,
    ...(made.length === 0 ? [] : [sql`${join(made, ' or ')} as survest_made`]),
    ...values,
  ];
  return sql`${cte('r', node)} as materialized (select ${join(columns)} from ${cte('e', node)} as e${join(joins, '')}${record})`;
}

/** What the object says itself. A key that some objects leave out has its default there. */
function givenSql(node: NestedNode, { column, fromJson }: WriteColumn): Sql {
  const value = sql`v.${ident(column.name)}`;
  const read = fromJson === undefined ? value : sql`${raw(fromJson)}(${value})`;
  if (!node.defaulted.includes(column.name) || column.default === null) return read;
  // A key is never null. Elsewhere a null that was given stays one: only what is not there has its default.
  return node.table.primaryKey.includes(column.name)
    ? sql`coalesce(${read}, ${raw(column.default)})`
    : sql`case when e.survest_e->${literal(column.name)} is null then ${raw(column.default)} else ${read} end`;
}

function insertSql(node: NestedNode): Sql {
  const { table, conflict } = node;
  const names = writtenNames(node);
  const columns = names.length === 0 ? sql`` : sql`(${join(names.map((name) => ident(name)))})`;
  const selected = join(names.map((name) => ident('r', name)));
  // An object that comes several times, such as the tag of many, is one row.
  const rows =
    conflict === undefined
      ? sql`select ${selected} from ${cte('r', node)} as r order by r.survest_ord`
      : sql`select ${selected} from (select distinct on (${join(conflict.map((name) => ident(name)))}) * from ${cte('r', node)} order by ${join([...conflict.map((name) => ident(name)), sql`survest_ord desc`])}) as r order by r.survest_ord`;
  const returning = node.needed.length === 0 ? sql`1` : join(node.needed.map((name) => ident(table.name, name)));
  return sql`${cte('i', node)} as (insert into ${ident(table.schema, table.name)}${columns} ${rows}${conflictSql(node, names)} returning ${returning})`;
}

function writtenNames({ columns, filled }: NestedNode): readonly string[] {
  return [...new Set([...columns.map(({ column }) => column.name), ...filled])];
}

function conflictSql({ conflict, link }: NestedNode, names: readonly string[]): Sql {
  if (conflict === undefined) return sql``;
  const set = names.map((name) => sql`${ident(name)} = excluded.${ident(name)}`);
  // Of the root alone it is told whether rows are new.
  const counted =
    link === undefined ? sql` where set_config('survest.updated', (${updatedRowsSql} + 1)::text, true) <> ''` : sql``;
  return sql` on conflict (${join(conflict.map((name) => ident(name)))}) do update set ${join(set)}${counted}`;
}

function numberedSql(node: NestedNode): Sql {
  const values = node.needed.map((name) => sql`, i.${ident(name)}`);
  const head = sql`select r.survest_ord, r.survest_parent${join(values, '')} from ${cte('r', node)} as r`;
  if (node.conflict === undefined)
    return sql`${cte('n', node)} as materialized (${head} join (select row_number() over () as survest_n, * from ${cte('i', node)}) as i on i.survest_n = r.survest_ord)`;
  const same = node.conflict.map((name) => sql`i.${ident(name)} = r.${ident(name)}`);
  return sql`${cte('n', node)} as materialized (${head} join ${cte('i', node)} as i on ${join(same, ' and ')})`;
}

function junctionSql(node: NestedNode, parent: NestedNode | undefined): readonly Sql[] {
  const { link } = node;
  if (link?.kind !== 'through' || parent === undefined) return [];
  const columns = [...link.pairs, ...link.foreignPairs].map(([, via]) => ident(via));
  const values = [
    ...link.pairs.map(([above]) => sql`up.${ident(above)}`),
    ...link.foreignPairs.map(([own]) => sql`n.${ident(own)}`),
  ];
  const merges = node.conflict === undefined ? sql`` : sql` on conflict do nothing`;
  return [
    sql`${cte('j', node)} as (insert into ${ident(link.junction.schema, link.junction.name)}(${join(columns)}) select distinct ${join(values)} from ${cte('n', node)} as n join ${cte('n', parent)} as up on up.survest_ord = n.survest_parent${merges})`,
  ];
}

/** Children that an upsert does not name any more; of a junction, the links to them. Who names no list says nothing about it. */
function pruneSql(node: NestedNode, root: NestedNode): readonly Sql[] {
  const { link } = node;
  const parent = parentOf(root, node);
  if (!node.prunes || parent === undefined || link === undefined || link.kind === 'above') return [];
  const gone = link.kind === 'through' ? link.junction : node.table;
  const kept =
    link.kind === 'through'
      ? [
          sql`k.survest_parent = up.survest_ord`,
          ...link.foreignPairs.map(([own, via]) => sql`k.${ident(own)} = gone.${ident(via)}`),
        ]
      : node.table.primaryKey.map((name) => sql`k.${ident(name)} = gone.${ident(name)}`);
  const conditions = [
    sql`e.survest_ord = up.survest_ord`,
    sql`json_typeof(e.survest_e->${literal(node.name)}) = 'array'`,
    ...link.pairs.map(([above, own]) => sql`gone.${ident(own)} = up.${ident(above)}`),
    sql`not exists (select 1 from ${cte('n', node)} as k where ${join(kept, ' and ')})`,
  ];
  return [
    sql`${cte('d', node)} as (delete from ${ident(gone.schema, gone.name)} as gone using ${cte('n', parent)} as up, ${cte('e', parent)} as e where ${join(conditions, ' and ')})`,
  ];
}

function parentOf(root: NestedNode, node: NestedNode): NestedNode | undefined {
  return nodesOf(root).find(({ children }) => children.includes(node));
}
