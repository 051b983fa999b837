// A request that calls a procedure → what is to be run.

import { type ScopeParts, scopeStatement, sessionScope } from '../../pg/scope.ts';
import { ARGUMENTS } from '../query/procedure-sql.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { ProcedureRun } from '../run/run-procedure.ts';
import type { Procedure } from '../schema-cache/schema-cache.ts';
import { filled } from './fill-statement.ts';
import { isolationOf, judgeOf, transactionEnd } from './judge.ts';
import { preRequest } from './pre-request.ts';
import { guardStatement } from './relation-guard.ts';
import type { Shape } from './shape-cache.ts';
import type { RestState } from './state.ts';

/** Undefined: it calls none. */
export function procedureWork(
  request: ApiRequest,
  shape: Shape,
  scope: ScopeParts,
  state: RestState,
): ProcedureRun | undefined {
  const { call, plan } = shape;
  if (call === undefined || plan.kind !== 'call' || plan.routine.procedure === undefined) return undefined;
  const { role } = scope;
  const before = shape.before === undefined ? undefined : filled(shape.before, request, role, state);
  const work = {
    name: plan.routine.name,
    before: [preRequest(state), guardStatement(state, shape.guarded), before].filter((one) => one !== undefined),
    call: filled(call, request, role, state),
    main: (outputs) => filled(shape.main, request, role, state, outputs),
    judge: judgeOf(request, shape) ?? (() => undefined),
  } satisfies Partial<ProcedureRun>;
  return { ...work, ...transactionOf(plan.routine.procedure, request, shape, scope, state) };
}

function transactionOf(
  { outside }: Procedure,
  request: ApiRequest,
  shape: Shape,
  scope: ScopeParts,
  state: RestState,
):
  | Pick<Extract<ProcedureRun, { kind: 'inside' }>, 'kind' | 'scope' | 'end'>
  | Pick<Extract<ProcedureRun, { kind: 'outside' }>, 'kind' | 'role' | 'scope'> {
  const isolation = isolationOf(shape, scope.role, state);
  if (!outside) {
    const end = transactionEnd(request, shape, scope.role, state);
    const judged =
      end.kind === 'judged' ? end : { kind: 'judged' as const, isolation, rollback: false, judge: () => undefined };
    return { kind: 'inside', scope: scopeStatement(scope, state.config.dbPreparedStatements), end: judged };
  }
  // Each transaction that it begins is one of the level that the request would have.
  const level = isolation === 'read committed' ? [] : [['default_transaction_isolation', isolation] as const];
  const parts = { ...scope, routineSettings: [...scope.routineSettings, ...level] };
  return { kind: 'outside', role: scope.role, scope: sessionScope(parts, LEFT_BEHIND) };
}

/** What the request itself, or its procedure for the answer, sets beside the scope. */
const LEFT_BEHIND = [ARGUMENTS, 'response.headers', 'response.status'];
