// Stage 2: from what is asked to what will be done, or why it cannot be. Only the schema cache is looked at.

import { assertNever } from '../../kernel/assert-never.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { Table } from '../schema-cache/schema-cache.ts';
import { ALLOW_ON_ROOT, allowOnRoutines, allowOnTable } from './allow.ts';
import { makeCallPlan } from './call-plan.ts';
import { isColumnar } from './columnar.ts';
import { countPlan, readsSecured } from './count-plan.ts';
import { missingExtension } from './extensions.ts';
import { readsFewRows } from './few-rows.ts';
import { columnsOf } from './field-ref.ts';
import { selectsEverything } from './media-plan.ts';
import { makeMutatePlan } from './mutate-plan.ts';
import { negotiate, negotiateDescription } from './negotiate.ts';
import type { Plan, ReadPlan } from './plan.ts';
import type { PlanContext } from './plan-context.ts';
import type { PlanError } from './plan-error.ts';
import { checkPreferences } from './preference-plan.ts';
import { makeReadNode } from './read-plan.ts';
import { withSeek } from './seek-plan.ts';
import { rootWindow } from './window-plan.ts';

export function makePlan(request: ApiRequest, context: PlanContext): Result<Plan, PlanError> {
  const { target, action } = request;
  const missing = missingExtension(request.query, context.cache);
  if (missing !== undefined) return err(missing);
  switch (target.kind) {
    case 'root':
      if (action.kind === 'info') return ok({ kind: 'info', allow: ALLOW_ON_ROOT });
      return negotiateDescription(request.accept, action.kind === 'describe' && action.headOnly);
    case 'routine':
      return action.kind === 'info'
        ? routineInfo(request, target.name, context)
        : makeCallPlan(request, target.name, context);
    case 'relation': {
      const table = findTable(request.schema, target.name, context);
      if (!table.ok) return table;
      if (action.kind === 'info') return ok({ kind: 'info', allow: allowOnTable(table.value) });
      return action.kind === 'read'
        ? makeReadPlan(request, table.value, context, action.headOnly)
        : makeMutatePlan(request, table.value, context);
    }
    default:
      return assertNever(target);
  }
}

function findTable(schema: string, name: string, { cache }: PlanContext): Result<Table, PlanError> {
  const table = cache.table(schema, name);
  if (table !== undefined) return ok(table);
  const why = cache.undescribed(schema, name);
  return why === undefined
    ? err({ kind: 'table-not-found', schema, table: name, near: cache.nearestTable(schema, name) })
    : err({ kind: 'relation-undescribed', schema, table: name, why });
}

function routineInfo({ schema }: ApiRequest, name: string, { cache }: PlanContext): Result<Plan, PlanError> {
  const overloads = cache.routines(schema, name);
  if (overloads.length > 0) return ok({ kind: 'info', allow: allowOnRoutines(overloads) });
  const near = cache.nearestRoutine(schema, name);
  return err({
    kind: 'routine-not-found',
    schema,
    name,
    args: [],
    body: 'none',
    near: near === undefined ? undefined : { kind: 'name', name: near },
  });
}

function makeReadPlan(
  request: ApiRequest,
  table: Table,
  { cache, config }: PlanContext,
  headOnly: boolean,
): Result<ReadPlan, PlanError> {
  const follows = config.dbLive !== 'off' && request.accept.some(({ kind }) => kind === 'events');
  const tree = makeReadNode(
    request.query,
    {
      from: { kind: 'relation', relation: table },
      name: table.name,
      rowType: table,
      table,
      columns: columnsOf(table),
      window: rootWindow(request.window, config.dbMaxRows),
      filtered: true,
      named: request.query.after !== undefined || follows,
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
  const paged = withSeek(tree.value, request.query.after, table);
  if (!paged.ok) return paged;
  const isSecured = readsSecured(paged.value, cache);
  const media = negotiate(request.accept, {
    cache,
    relation: table,
    routine: undefined,
    selectsEverything: selectsEverything(request.query),
    // A plan tells the planner's estimates, too.
    planEnabled: config.dbPlanEnabled && !isSecured,
    liveEnabled: follows,
    columnar: true,
    bodyless: headOnly,
  });
  if (!media.ok) return media;
  const strict = checkPreferences(request.preferences);
  if (strict !== undefined) return err(strict);
  return ok({
    kind: 'read',
    tree: paged.value,
    count: countPlan(request.preferences, config.dbMaxRows, isSecured),
    media: media.value,
    fewRows: !isColumnar(media.value.format) && readsFewRows(paged.value, table),
  });
}
