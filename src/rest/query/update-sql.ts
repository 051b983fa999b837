// Updates with a value of its own for each row, merge patches and JSON patches as SQL: one statement each. What a statement cannot say by
// itself (rows that were not found, operations that failed) it counts beside its rows.

import { assertNever } from '../../kernel/assert-never.ts';
import { ident, join, literal, raw, where } from '../../sql/index.ts';
import type { MergeColumn, Mutation, PatchStep } from '../plan/plan.ts';
import type { Table } from '../schema-cache/schema-cache.ts';
import { BODY, type Sql, sql } from './bind.ts';
import { BODY_ROWS, payloadRowsSql } from './payload-sql.ts';
import { raiseRowSql } from './raise-sql.ts';
import { SOURCE } from './read-sql.ts';

type EachUpdate = Extract<Mutation, { kind: 'update-each' }>;
type MergeUpdate = Extract<Mutation, { kind: 'merge' }>;
type PatchUpdate = Extract<Mutation, { kind: 'json-patch' }>;
type SpecialUpdate = EachUpdate | MergeUpdate | PatchUpdate;

/** Rows of the body, or those that match: read once, counted and joined. */
const ROWS_CTE = ident('survest_rows');
const PATCH = 'survest_patch';

/** `conditions`: of the request, on the table's own rows. */
type UpdateParts = { readonly conditions: readonly Sql[]; readonly returning: Sql; readonly raises: boolean };

/** What the update needs before it, as a CTE. */
export function rowsBeforeSql(change: SpecialUpdate, conditions: readonly Sql[]): Sql {
  switch (change.kind) {
    case 'update-each': {
      const columns = [...change.keys, ...change.columns];
      return sql`${ROWS_CTE} as materialized (select * from ${payloadRowsSql({ ...change, columns })})`;
    }
    case 'merge':
      return sql`${ROWS_CTE} as materialized (${patchRowsSql(change)})`;
    case 'json-patch':
      // The rows that the update would have, by the same policies, whatever becomes of their values.
      return sql`${ROWS_CTE} as materialized (select 1 from ${tableSql(change.table)}${where(conditions)} for update)`;
    default:
      return assertNever(change);
  }
}

export function specialUpdateSql(change: SpecialUpdate, { conditions, returning, raises }: UpdateParts): Sql {
  const set = setSql(change, raises);
  // Without a column to set nothing is touched, but what was asked for is still counted.
  if (set.length === 0) return sql`select ${returning} from ${tableSql(change.table)} where false`;
  if (change.kind === 'json-patch' && raises)
    return sql`update ${tableSql(change.table)} set ${join(set)}${where(conditions)} returning ${returning}`;
  if (change.kind === 'json-patch') {
    const works = change.columns.map((one) => sql`${patchedSql(change.table, one)} is not null`);
    // Counted first: rows that this statement has changed already could not be locked any more.
    const first = sql`(select count(*) from ${ROWS_CTE}) > 0`;
    return sql`update ${tableSql(change.table)} set ${join(set)}${where([first, ...conditions, ...works])} returning ${returning}`;
  }
  const named = namedSql(change.keys, change.table);
  return sql`update ${tableSql(change.table)} set ${join(set)} from ${ROWS_CTE} as ${ident(BODY_ROWS)}${where([...named, ...conditions])} returning ${returning}`;
}

/** Counts for the check: rows of the body that were not found, that stand there twice, that mean several; rows that could not be patched. */
export function updateProblemSql(change: SpecialUpdate, conditions: readonly Sql[]): Sql {
  const asked = sql`(select count(*) from ${ROWS_CTE})`;
  const done = sql`(select count(*) from ${ident(SOURCE)})`;
  if (change.kind === 'json-patch') return sql`json_build_object('unpatched', ${asked} - ${done})`;
  if (change.keys.length === 0) return sql`null`;
  const keys = join(change.keys.map(({ column }) => ident(column.name)));
  const repeated = sql`${asked} - (select count(*) from (select distinct ${keys} from ${ROWS_CTE}) as named)`;
  const several = isPrimaryKey(change) ? sql`` : sql`, 'several', ${severalSql(change, conditions)}`;
  return sql`json_build_object('missing', ${asked} - ${done}, 'repeated', ${repeated}${several})`;
}

/** No two rows have the same primary key, of other columns nobody knows. */
function isPrimaryKey({ keys, table: { primaryKey } }: EachUpdate | MergeUpdate): boolean {
  return primaryKey.length > 0 && primaryKey.every((name) => keys.some(({ column }) => column.name === name));
}

/** Objects that each mean several rows: beside others that mean none the sums alone would be right. */
function severalSql({ keys, table }: EachUpdate | MergeUpdate, conditions: readonly Sql[]): Sql {
  const columns = join(keys.map(({ column }) => ident(BODY_ROWS, column.name)));
  return sql`(select count(*) from (select 1 from ${tableSql(table)} join ${ROWS_CTE} as ${ident(BODY_ROWS)} on ${join(namedSql(keys, table), ' and ')}${where(conditions)} group by ${columns} having count(*) > 1) as several)`;
}

function namedSql(keys: EachUpdate['keys'], table: Table): readonly Sql[] {
  return keys.map(({ column }) => sql`${ident(table.name, column.name)} = ${ident(BODY_ROWS, column.name)}`);
}

function setSql(change: SpecialUpdate, raises: boolean): readonly Sql[] {
  switch (change.kind) {
    case 'update-each':
      return change.columns.map(({ column }) => sql`${ident(column.name)} = ${ident(BODY_ROWS, column.name)}`);
    case 'merge':
      return change.columns.map((column) => sql`${ident(column.column.name)} = ${mergedSql(change, column)}`);
    case 'json-patch':
      return change.columns.map((one) => {
        const patched = patchedSql(change.table, one);
        const { name, nominalType } = one.column;
        const value = raises
          ? sql`coalesce(${patched}, ${raiseRowSql('unpatched', ident(change.table.name, name))}::text::${raw(nominalType)})`
          : patched;
        return sql`${ident(name)} = ${value}`;
      });
    default:
      return assertNever(change);
  }
}

function tableSql(table: Table): Sql {
  return ident(table.schema, table.name);
}

/** Each object of the body as it came, beside what of it has the type of its column. */
function patchRowsSql({ keys, columns, isArray }: MergeUpdate): Sql {
  const patches = isArray ? sql`jsonb_array_elements(${BODY}::jsonb)` : sql`(select ${BODY}::jsonb)`;
  const typed = [...keys, ...columns.filter(({ how }) => how === 'set')];
  const patch = ident(PATCH);
  const rows = sql`${patches} as ${patch}(${patch})`;
  if (typed.length === 0) return sql`select ${ident(PATCH, PATCH)} from ${rows}`;
  const types = typed.map(
    ({ column, fromJson }) => sql`${ident(column.name)} ${raw(fromJson === undefined ? column.nominalType : 'json')}`,
  );
  const values = typed.map(({ column, fromJson }) => {
    const value = ident('v', column.name);
    return fromJson === undefined ? value : sql`${raw(fromJson)}(${value}) as ${ident(column.name)}`;
  });
  return sql`select ${ident(PATCH, PATCH)}, ${join(values)} from ${rows}, lateral jsonb_to_record(${ident(PATCH, PATCH)}) as v(${join(types)})`;
}

function mergedSql({ table, partial }: MergeUpdate, { column, how, depth }: MergeColumn): Sql {
  const now = ident(table.name, column.name);
  const patch = ident(BODY_ROWS, PATCH);
  const key = literal(column.name);
  const value = changedSql();
  return partial ? sql`case when ${patch} ? ${key} then ${value} else ${now} end` : value;

  function changedSql(): Sql {
    const type = raw(column.nominalType);
    switch (how) {
      case 'set':
        return ident(BODY_ROWS, column.name);
      case 'increment':
        return sql`case jsonb_typeof(${patch}->${key}) when 'object' then coalesce(${now}, 0) + (${patch}->${key}->>'$inc')::${type} else (${patch}->>${key})::${type} end`;
      case 'merge':
        // Null is the value that a column without a value has.
        return sql`nullif(${mergeSql(sql`${now}::jsonb`, sql`${patch}->${key}`, depth)}, 'null'::jsonb)::${type}`;
      default:
        return assertNever(how);
    }
  }
}

/**
 * RFC 7396 as one expression, written out as deep as the objects of the body are. Each level names its two sides once, so that the
 * text grows with the depth and not faster; `offset 0` keeps PostgreSQL from writing them out again.
 */
function mergeSql(target: Sql, patch: Sql, depth: number): Sql {
  if (depth === 0) return patch;
  const level = ident(`m${depth}`);
  const [t, p] = [sql`${level}.t`, sql`${level}.p`];
  const inner = mergeSql(sql`${t}->k`, sql`${p}->k`, depth - 1);
  const keys = sql`(select jsonb_object_keys(case jsonb_typeof(${t}) when 'object' then ${t} else '{}' end) union select jsonb_object_keys(${p})) as keys(k)`;
  const members = sql`select k, case when ${p} ? k then ${inner} else ${t}->k end as v from ${keys} where ${p}->k is distinct from 'null'::jsonb`;
  return sql`(select case jsonb_typeof(${p}) when 'object' then (select coalesce(jsonb_object_agg(k, v), '{}') from (${members}) as merged) else ${p} end from (select ${target} as t, ${patch} as p offset 0) as ${level})`;
}

/** The column after its operations, in their order; null where one of them fails. `offset 0`: as in `mergeSql`. */
function patchedSql(table: Table, { column, operations }: PatchUpdate['columns'][number]): Sql {
  const steps = operations.map(
    (one, i) =>
      sql`lateral (select ${operationSql(one, sql`o${raw(String(i))}.v`)} as v offset 0) as o${raw(String(i + 1))}`,
  );
  const now = sql`(select ${ident(table.name, column.name)}::jsonb as v) as o0`;
  return sql`(select o${raw(String(operations.length))}.v::${raw(column.nominalType)} from ${join([now, ...steps])})`;
}

function operationSql({ op, steps, place, odd = [] }: PatchStep, v: Sql): Sql {
  const value = sql`((${BODY}::jsonb)->${raw(String(place))}->'value')`;
  if (steps === 0) {
    switch (op) {
      case 'add':
        return value;
      case 'replace':
        return sql`case when ${v} is not null then ${value} end`;
      case 'test':
        return sql`case when ${v} = ${value} then ${v} end`;
      case 'remove':
        throw new Error('a column cannot be removed');
      default:
        return assertNever(op);
    }
  }
  const path = sql`${{ kind: 'patch-path', index: place } as const}::text[]`;
  const parent = sql`(${path})[1:${raw(String(steps - 1))}]`;
  const last = sql`(${path})[${raw(String(steps))}]`;
  const container = sql`jsonb_typeof(${v} #> ${parent})`;
  // A list is asked by number alone: to jsonb `-1` is the last one.
  // Nor are numbers on the way read as PostgreSQL reads them: `-1` and `01` are names of members (RFC 6901).
  const onTheWay = odd.map((step) => sql`jsonb_typeof(${v} #> (${path})[1:${raw(String(step))}]) = 'object' and `);
  const isThere = sql`${join(onTheWay, '')}${v} #> ${path} is not null and (${container} = 'object' or ${last} ~ '^(0|[1-9][0-9]{0,8})$')`;
  switch (op) {
    case 'test':
      return sql`case when ${isThere} and ${v} #> ${path} = ${value} then ${v} end`;
    case 'remove':
      return sql`case when ${isThere} then ${v} #- ${path} end`;
    case 'replace':
      return sql`case when ${isThere} then jsonb_set(${v}, ${path}, ${value}, false) end`;
    case 'add': {
      const size = sql`jsonb_array_length(${v} #> ${parent})`;
      const behind = sql`jsonb_insert(${v}, ${parent} || '-1'::text, ${value}, true)`;
      const inList = sql`case when ${last} = '-' then ${behind} when ${last} ~ '^(0|[1-9][0-9]{0,8})$' then case when (${last})::integer < ${size} then jsonb_insert(${v}, ${path}, ${value}) when (${last})::integer = ${size} then ${behind} end end`;
      const added = sql`case ${container} when 'object' then jsonb_set(${v}, ${path}, ${value}, true) when 'array' then ${inList} end`;
      return onTheWay.length === 0 ? added : sql`case when ${join(onTheWay, '')}true then ${added} end`;
    }
    default:
      return assertNever(op);
  }
}
