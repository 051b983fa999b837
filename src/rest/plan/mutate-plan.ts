// Writes: which columns of which table, what happens on a conflict, and what of the written rows is shown.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { ApiRequest, QueryParams } from '../request/api-request.ts';
import type { Payload } from '../request/payload.ts';
import type { Table } from '../schema-cache/schema-cache.ts';
import { rootConditions } from './conditions.ts';
import { readsSecured } from './count-plan.ts';
import { columnsOf } from './field-ref.ts';
import { selectsEverything } from './media-plan.ts';
import { negotiate } from './negotiate.ts';
import { NestedPlanner } from './nested-plan.ts';
import type { KeyColumn, MutatePlan, Mutation, ReadNode, Returning, WriteColumn, WriteSource } from './plan.ts';
import type { PlanContext } from './plan-context.ts';
import type { PlanError } from './plan-error.ts';
import { checkPreferences } from './preference-plan.ts';
import { makeReadNode } from './read-plan.ts';
import { specialUpdate } from './update-plan.ts';
import { EVERYTHING } from './window-plan.ts';

export function makeMutatePlan(request: ApiRequest, table: Table, context: PlanContext): Result<MutatePlan, PlanError> {
  const { cache, config } = context;
  const { action, preferences } = request;
  const shows = preferences.return === 'representation';
  // Drawn even where nothing is shown: a filter on what is not embedded must not pass for no filter at all.
  const drawn = returnedTree(request.query, table, request.schema, context);
  if (!drawn.ok) return drawn;
  const tree = shows ? drawn.value : undefined;
  const change = mutationOf(request, table, context);
  if (!change.ok) return change;
  const strict = checkPreferences(preferences);
  if (strict !== undefined) return err(strict);
  const media = negotiate(request.accept, {
    cache,
    relation: table,
    routine: undefined,
    selectsEverything: selectsEverything(request.query),
    // A plan tells the planner's estimates, which come from rows that a policy may hide as well.
    planEnabled: config.dbPlanEnabled && !cache.isSecured(table) && !readsSecured(drawn.value, cache),
    bodyless: !shows,
  });
  if (!media.ok) return media;
  const locates = action.kind === 'insert' && preferences.return === 'headers-only' && table.primaryKey.length > 0;
  return ok({
    kind: 'mutate',
    change: change.value,
    returning:
      tree !== undefined
        ? returningOf(tree)
        : locates
          ? { kind: 'columns', columns: table.primaryKey }
          : { kind: 'nothing' },
    tree,
    media: media.value,
    // By name, whatever order the key was declared in: the same row has the same address everywhere.
    locate: locates
      ? table.primaryKey.toSorted().map((name) => keyColumn(name, table, cache.representations))
      : undefined,
  });
}

function returnedTree(
  query: QueryParams,
  table: Table,
  schema: string,
  { cache, config }: PlanContext,
): Result<ReadNode, PlanError> {
  return makeReadNode(
    query,
    {
      from: { kind: 'source' },
      name: table.name,
      rowType: table,
      table,
      columns: columnsOf(table),
      window: EVERYTHING,
      filtered: false,
    },
    { cache, schema, aggregatesEnabled: config.dbAggregatesEnabled, maxRows: undefined, windowed: false },
  );
}

function mutationOf(request: ApiRequest, table: Table, context: PlanContext): Result<Mutation, PlanError> {
  const { cache } = context;
  const { action, query, payload, preferences } = request;
  const where = rootConditions(query, columnsOf(table), cache);
  if (action.kind === 'delete') return ok({ kind: 'delete', table, where });
  if (action.kind === 'upsert-one' && !namesWholeKey(query, table)) return err({ kind: 'put-needs-key' });
  const names = writtenNames(payload, action.kind === 'upsert-one' ? undefined : query.columns);
  if (action.kind === 'insert' && payload?.kind === 'json' && payload.nested !== undefined) {
    const columnsFor = (of: Table, some: readonly string[]) => writeColumns(some, of, cache.representations);
    const { return: shows } = preferences;
    const planner = new NestedPlanner(request, context, columnsFor);
    if (shows === 'representation' && table.primaryKey.length === 0)
      return err({
        kind: 'nested-impossible',
        name: table.name,
        why: 'without a primary key its rows cannot be read again',
      });
    const root = planner.root(
      table,
      payload.nested,
      shows === undefined || shows === 'minimal' ? [] : table.primaryKey,
    );
    return root.ok ? ok({ kind: 'nested', table, root: root.value, isArray: payload.isArray }) : root;
  }
  if (action.kind === 'update') {
    const columnsFor = (some: readonly string[]) => writeColumns(some, table, cache.representations);
    const special = specialUpdate({
      request,
      table,
      names,
      source: writeSource(payload),
      where,
      columnsOf: columnsFor,
    });
    if (!special.ok) return special;
    if (special.value !== undefined) return ok(special.value);
  }
  const columns = writeColumns(names, table, cache.representations);
  if (!columns.ok) return columns;
  const source = writeSource(payload);
  const fillDefaults = preferences.missing === 'default';
  if (action.kind === 'update')
    return ok({ kind: 'update', table, columns: columns.value, source, fillDefaults, where });
  if (action.kind === 'upsert-one') {
    // A body without the key matches no row of it; reading the key as null says just that.
    const missing = writeColumns(
      table.primaryKey.filter((name) => !names.includes(name)),
      table,
      cache.representations,
    );
    if (!missing.ok) return missing;
    const conflict = { on: table.primaryKey, resolve: 'merge' } as const;
    return ok({
      kind: 'insert',
      table,
      columns: [...columns.value, ...missing.value],
      source,
      fillDefaults: false,
      conflict,
      only: where,
    });
  }
  return ok({
    kind: 'insert',
    table,
    columns: columns.value,
    source,
    fillDefaults,
    conflict: conflictOf(request, table),
    only: [],
  });
}

function conflictOf(
  { preferences, query }: ApiRequest,
  table: Table,
): { on: readonly string[]; resolve: 'merge' | 'ignore' } | undefined {
  const on = query.onConflict ?? table.primaryKey;
  if (preferences.resolution === undefined || on.length === 0) return undefined;
  return { on, resolve: preferences.resolution === 'merge-duplicates' ? 'merge' : 'ignore' };
}

/** PUT: one `eq` for each column of the primary key, and nothing else. */
function namesWholeKey({ filters, logic }: QueryParams, { primaryKey }: Table): boolean {
  const named = filters.map(({ at, value: { field, negated, operation } }) =>
    at.length === 0 &&
    field.path.length === 0 &&
    !negated &&
    operation.kind === 'compare' &&
    operation.operator === 'eq' &&
    operation.quantifier === undefined
      ? field.name
      : undefined,
  );
  return (
    primaryKey.length > 0 &&
    logic.length === 0 &&
    named.length === primaryKey.length &&
    primaryKey.every((name) => named.includes(name))
  );
}

function writtenNames(payload: Payload | undefined, columns: readonly string[] | undefined): readonly string[] {
  if (columns !== undefined) return [...new Set(columns)];
  if (payload?.kind === 'json') return payload.keys ?? [];
  return payload?.kind === 'form' ? [...new Set(payload.fields.map(([name]) => name))] : [];
}

function writeColumns(
  names: readonly string[],
  table: Table,
  representations: PlanContext['cache']['representations'],
): Result<readonly WriteColumn[], PlanError> {
  const columns: WriteColumn[] = [];
  for (const name of names) {
    const column = table.columns.get(name);
    if (column === undefined)
      return err({ kind: 'column-not-found', table: table.name, column: firstUnknown(names, table) });
    const representation = column.representation === null ? undefined : representations.get(column.representation);
    columns.push({
      column,
      fromJson: representation?.fromJson ?? undefined,
      toJson: representation?.toJson ?? undefined,
    });
  }
  return ok(columns);
}

/** A filter reads the form that the domain shows itself in only when the domain has a cast from text. */
function keyColumn(name: string, table: Table, representations: PlanContext['cache']['representations']): KeyColumn {
  const domain = table.columns.get(name)?.representation ?? null;
  const representation = domain === null ? undefined : representations.get(domain);
  return { name, toJson: representation?.fromText == null ? undefined : (representation.toJson ?? undefined) };
}

/** Of several the first by name, whatever order the body has them in. */
function firstUnknown(names: readonly string[], { columns }: Table): string {
  return names.filter((name) => !columns.has(name)).toSorted()[0] ?? '';
}

function writeSource(payload: Payload | undefined): WriteSource {
  return payload?.kind === 'form'
    ? { kind: 'form' }
    : { kind: 'json', isArray: payload?.kind === 'json' && payload.isArray };
}

/** The columns that the shown tree reads, and no others: each one returned needs the privilege to select it. */
function returningOf(tree: ReadNode): Returning {
  const needed = new Set<string>();
  for (const output of tree.outputs) {
    if (output.kind === 'star') return { kind: 'all' };
    if (output.kind === 'column') needed.add(output.field.column);
  }
  for (const { relationship } of tree.embeds) {
    // A function of the row wants the whole row.
    if (relationship.kind === 'computed') return { kind: 'all' };
    for (const [own] of relationship.columns) needed.add(own);
  }
  for (const { by } of tree.order) if (by.kind === 'own') needed.add(by.field.column);
  return needed.size === 0 ? { kind: 'nothing' } : { kind: 'columns', columns: [...needed] };
}
