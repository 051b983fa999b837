// A function call: which function, with which arguments, and what is read of its result.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { Payload } from '../request/payload.ts';
import type { Identifier, Parameter, Routine, Table } from '../schema-cache/schema-cache.ts';
import { isColumnar } from './columnar.ts';
import { countPlan } from './count-plan.ts';
import { FEW_ROWS } from './few-rows.ts';
import type { KnownColumns } from './field-ref.ts';
import { type CallSignature, type FoundRoutine, findRoutine } from './find-routine.ts';
import { selectsEverything } from './media-plan.ts';
import { negotiate } from './negotiate.ts';
import type { CallArgs, CallPlan, CallRows, ReadNode, TextValue } from './plan.ts';
import type { PlanContext } from './plan-context.ts';
import type { PlanError } from './plan-error.ts';
import { checkPreferences } from './preference-plan.ts';
import { makeReadNode } from './read-plan.ts';
import { withSeek } from './seek-plan.ts';
import { rootWindow } from './window-plan.ts';

export function makeCallPlan(request: ApiRequest, name: string, context: PlanContext): Result<CallPlan, PlanError> {
  const { cache, config } = context;
  const called = findCalled(request, name, context);
  if (!called.ok) return called;
  const { found, after } = called.value;
  const { routine } = found;
  const impossible = procedureProblem(routine, request, context);
  if (impossible !== undefined) return err(impossible);
  if (after !== undefined && request.window.offset > 0) return err({ kind: 'cursor-with-offset' });
  const rows = rowsOf(routine, context);
  const tree = makeReadNode(
    request.query,
    {
      from: { kind: 'source' },
      name: rows.name,
      rowType: rows.type,
      table: rows.table,
      columns: rows.columns,
      window: rootWindow(request.window, config.dbMaxRows),
      filtered: true,
      named: after !== undefined,
    },
    {
      cache,
      schema: request.schema,
      aggregatesEnabled: config.dbAggregatesEnabled,
      maxRows: config.dbMaxRows,
      windowed: true,
    },
  );
  if (!tree.ok) return tree;
  const sought = seekRows(tree.value, after, routine, rows.table);
  if (!sought.ok) return sought;
  const byRows = rowsByRow(request, routine, sought.value);
  const isPage = sought.value.seek !== undefined;
  const media = negotiate(request.accept, {
    cache,
    relation: rows.type ?? { schema: routine.schema, name: routine.name },
    routine,
    selectsEverything: selectsEverything(request.query),
    // There is no EXPLAIN of a CALL.
    planEnabled: config.dbPlanEnabled && routine.procedure === undefined,
    // What is called once cannot be asked behind its rows where the next page begins.
    columnar: byRows !== 'whole' && !(isPage && byRows === 'once'),
    bodyless: request.action.kind === 'call' && request.action.by === 'head',
  });
  if (!media.ok) return media;
  const preferences = checkPreferences(request.preferences);
  if (preferences !== undefined) return err(preferences);
  if (isStrictlyLimited(request) && !routine.returns.set) return err({ kind: 'max-affected-needs-set' });
  const isWhole = isColumnar(media.value.format) ? false : isPage || isFew(sought.value);
  return ok({
    kind: 'call',
    routine,
    args: callArgs(request, found),
    tree: sought.value,
    count: countPlan(request.preferences, config.dbMaxRows, false),
    media: media.value,
    rows: isWhole ? 'whole' : byRows,
  });
}

/** Rows that are checked before they may stay are looked at as a whole; of no rows, the function would not be called at all. */
function rowsByRow(request: ApiRequest, { procedure, returns, volatility }: Routine, tree: ReadNode): CallRows {
  const isSet = returns.set && returns.shape.kind !== 'void' && procedure === undefined;
  if (!isSet || tree.window.limit === 0 || isStrictlyLimited(request)) return 'whole';
  const isPost = request.action.kind === 'call' && request.action.by === 'post';
  return isPost && volatility === 'volatile' ? 'once' : 'again';
}

function isFew({ window: { limit } }: ReadNode): boolean {
  return limit !== undefined && limit <= FEW_ROWS;
}

type Called = { readonly found: FoundRoutine; readonly after: ApiRequest['query']['after'] };

/**
 * Which function, and behind which row its rows are wanted. In the address of a call `after` is an argument of a function that has one of
 * that name, and otherwise the word that it is elsewhere.
 */
function findCalled(request: ApiRequest, name: string, { cache }: PlanContext): Result<Called, PlanError> {
  const signature = signatureOf(request, name);
  const found = findRoutine(cache, signature);
  const isInAddress = request.action.kind === 'call' && request.action.by !== 'post';
  const { after } = request.query;
  if (!isInAddress || !signature.args.includes('after')) return found.ok ? ok({ found: found.value, after }) : found;
  if (found.ok) return ok({ found: found.value, after: undefined });
  const without = findRoutine(cache, { ...signature, args: signature.args.filter((arg) => arg !== 'after') });
  if (!without.ok) return found;
  return after === undefined ? err({ kind: 'cursor-invalid' }) : ok({ found: without.value, after });
}

/** Rows of a relation have its key; rows of other kinds have nothing by which one could go on behind one of them. */
function seekRows(
  tree: ReadNode,
  after: ApiRequest['query']['after'],
  { returns }: Routine,
  table: Table | undefined,
): Result<ReadNode, PlanError> {
  if (after === undefined) return ok(tree);
  if (!returns.set || table === undefined) return err({ kind: 'keyset-impossible', why: 'function' });
  return withSeek(tree, after, table);
}

function procedureProblem(
  { name, procedure }: Routine,
  { action, preferences }: ApiRequest,
  { config }: PlanContext,
): PlanError | undefined {
  if (procedure === undefined) return undefined;
  if (action.kind === 'call' && action.by !== 'post') return { kind: 'procedure-by-get', name };
  if (!procedure.outside) return undefined;
  const isUndone = preferences.tx === undefined ? config.dbTxEnd.startsWith('rollback') : preferences.tx === 'rollback';
  if (isUndone) return { kind: 'procedure-needs-transaction', name, why: 'rollback' };
  return config.dbPreparedStatements ? undefined : { kind: 'procedure-needs-transaction', name, why: 'pooler' };
}

function isStrictlyLimited({ preferences }: ApiRequest): boolean {
  return preferences.handling === 'strict' && preferences.maxAffected !== undefined;
}

function signatureOf({ schema, query, payload, action }: ApiRequest, name: string): CallSignature {
  if (action.kind === 'call' && action.by === 'post' && payload !== undefined) {
    if (payload.kind === 'raw') return { schema, name, args: [], body: payload.as };
    const isJson = payload.kind === 'json' && !payload.fromCsv;
    return { schema, name, args: query.columns ?? namesIn(payload), body: isJson ? 'json' : 'none' };
  }
  return { schema, name, args: unique(query.args.map((arg) => arg.name)), body: 'none' };
}

function namesIn(payload: Exclude<Payload, { kind: 'raw' }>): readonly string[] {
  if (payload.kind === 'json-patch') return [];
  return payload.kind === 'json' ? (payload.keys ?? []) : unique(payload.fields.map(([field]) => field));
}

function callArgs({ query, payload }: ApiRequest, { routine, takesBody }: FoundRoutine): CallArgs {
  if (takesBody) return { kind: 'body', type: routine.parameters[0]?.type ?? 'json' };
  if (payload?.kind === 'json') {
    const names = new Set(query.columns ?? payload.keys);
    const parameters = routine.parameters.filter((parameter) => names.has(parameter.name));
    return parameters.length === 0 ? { kind: 'none' } : { kind: 'json', isArray: payload.isArray, parameters };
  }
  const given: readonly (readonly [string, TextValue])[] =
    payload?.kind === 'form'
      ? payload.fields.map(([field], index) => [field, { from: 'form', index }])
      : query.args.map((arg) => [arg.name, { from: 'query', slot: arg.value }]);
  const args = routine.parameters.flatMap((parameter: Parameter) => {
    const values = given.filter(([name]) => name === parameter.name).map(([, value]) => value);
    return values.length === 0 ? [] : [{ parameter, values }];
  });
  return args.length === 0 ? { kind: 'none' } : { kind: 'text', args };
}

type Rows = {
  readonly name: string;
  readonly type: Identifier | undefined;
  readonly table: Table | undefined;
  readonly columns: KnownColumns | undefined;
};

/** What the result's rows are: a relation's, whose relationships they then have, or rows of their own kind. */
function rowsOf(routine: Routine, { cache }: PlanContext): Rows {
  const { shape } = routine.returns;
  switch (shape.kind) {
    case 'composite': {
      const { schema, name } = shape.relation;
      const table = cache.table(schema, name);
      const columns = table?.columns ?? shape.columns;
      return {
        name,
        type: shape.relation,
        table,
        columns: columns === undefined ? undefined : { columns, relation: shape.relation, untyped: true },
      };
    }
    case 'record':
      return {
        name: routine.name,
        type: undefined,
        table: undefined,
        columns: shape.columns === undefined ? undefined : { columns: shape.columns },
      };
    default:
      return { name: routine.name, type: undefined, table: undefined, columns: undefined };
  }
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
