// Updates with a value of its own for each row, or with a change instead of a value. In: the request and its table. Out: the mutation, or
// undefined for the plain update of all rows that match.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { ApiRequest, QueryParams } from '../request/api-request.ts';
import type { Table } from '../schema-cache/schema-cache.ts';
import type { Condition, MergeColumn, Mutation, WriteColumn, WriteSource } from './plan.ts';
import type { PlanError } from './plan-error.ts';

type ColumnsOf = (names: readonly string[]) => Result<readonly WriteColumn[], PlanError>;

type UpdateParts = {
  readonly request: ApiRequest;
  readonly table: Table;
  readonly names: readonly string[];
  readonly source: WriteSource;
  readonly where: readonly Condition[];
  readonly columnsOf: ColumnsOf;
};

export function specialUpdate(parts: UpdateParts): Result<Mutation | undefined, PlanError> {
  const { payload } = parts.request;
  if (payload?.kind === 'json-patch') return jsonPatch(parts, payload.operations);
  if (payload?.kind !== 'json') return ok(undefined);
  if (payload.merge !== undefined) return mergePatch(parts, payload.merge, payload.isArray);
  return payload.isArray && matchesRows(parts) ? updateEach(parts) : ok(undefined);
}

/**
 * A list of rows that say which they are: without filters and with the whole primary key, or where `on_conflict` says so. Any other
 * list means its first row, for all rows that match, as it always did.
 */
function matchesRows({ request: { query }, table: { primaryKey }, names }: UpdateParts): boolean {
  if (query.onConflict !== undefined) return true;
  return primaryKey.length > 0 && !hasFilter(query) && primaryKey.every((name) => names.includes(name));
}

function hasFilter({ filters, logic }: QueryParams): boolean {
  return [...filters, ...logic].some(({ at }) => at.length === 0);
}

type Split = { readonly keys: readonly WriteColumn[]; readonly columns: readonly WriteColumn[] };

/** What tells a row, and what is set of it: a key is not set, it is what it is. */
function split({ request: { query }, table, names, columnsOf }: UpdateParts): Result<Split, PlanError> {
  const on = query.onConflict ?? table.primaryKey;
  const missing = on.filter((name) => !names.includes(name));
  if (on.length === 0 || missing.length > 0) return err({ kind: 'rows-need-key', table: table.name, missing });
  const keys = columnsOf(on);
  if (!keys.ok) return keys;
  const columns = columnsOf(names.filter((name) => !on.includes(name)));
  return columns.ok ? ok({ keys: keys.value, columns: columns.value }) : columns;
}

function updateEach(parts: UpdateParts): Result<Mutation, PlanError> {
  const found = split(parts);
  if (!found.ok) return found;
  const { table, source, where, request } = parts;
  const fillDefaults = request.preferences.missing === 'default';
  return ok({ kind: 'update-each', table, ...found.value, source, fillDefaults, where });
}

type Merge = NonNullable<Extract<ApiRequest['payload'], { kind: 'json' }>['merge']>;

function mergePatch(parts: UpdateParts, merge: Merge, isArray: boolean): Result<Mutation, PlanError> {
  const { table, names, where, columnsOf } = parts;
  const all = columnsOf(names);
  if (!all.ok) return all;
  const found = isArray ? split(parts) : ok({ keys: [], columns: all.value });
  if (!found.ok) return found;
  const depths = new Map(merge.depths);
  const columns: MergeColumn[] = [];
  for (const written of found.value.columns) {
    const { name, baseType } = written.column;
    const isJson = baseType === 'json' || baseType === 'jsonb';
    const increments = !isJson && merge.increments.includes(name);
    if (increments && !NUMBERS.has(baseType))
      return err({ kind: 'increment-needs-number', table: table.name, column: name });
    const how = isJson && written.fromJson === undefined ? 'merge' : increments ? 'increment' : 'set';
    columns.push({ ...written, how, depth: how === 'merge' ? (depths.get(name) ?? 0) : 0 });
  }
  return ok({ kind: 'merge', table, keys: found.value.keys, columns, isArray, partial: merge.partial, where });
}

const NUMBERS: ReadonlySet<string> = new Set(['smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision']);

type Operations = Extract<ApiRequest['payload'], { kind: 'json-patch' }>['operations'];

function jsonPatch({ table, where, columnsOf }: UpdateParts, operations: Operations): Result<Mutation, PlanError> {
  const columns = columnsOf([...new Set(operations.map(({ column }) => column))]);
  if (!columns.ok) return columns;
  const other = columns.value.find(({ column }) => column.baseType !== 'json' && column.baseType !== 'jsonb');
  if (other !== undefined) return err({ kind: 'json-patch-needs-json', table: table.name, column: other.column.name });
  return ok({
    kind: 'json-patch',
    table,
    columns: columns.value.map(({ column }) => ({
      column,
      operations: operations.flatMap((one, place) =>
        one.column === column.name
          ? [{ op: one.op, steps: one.steps, place, ...(one.odd !== undefined && { odd: one.odd }) }]
          : [],
      ),
    })),
    where,
  });
}
