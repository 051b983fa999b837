// A request that calls a procedure → what is to be run.

import { type ScopeParts, scopeStatement, sessionScope } from '../../../pg/scope.ts';
import type { CallPlan } from '../../plan/plan.ts';
import { ARGUMENTS } from '../../query/procedure-sql.ts';
import { type ProcedureRun, runProcedure } from '../../run/run-procedure.ts';
import type { Procedure } from '../../schema-cache/schema-cache.ts';
import { filled } from '../fill-statement.ts';
import { responseStatement } from '../response-statement.ts';
import { isolationOf, transactionEnd } from '../result-check.ts';
import type { Shape } from '../shape-cache.ts';
import type { RestState } from '../state.ts';
import type { Work } from '../work.ts';
import type { Way } from './way.ts';

export const procedure: Way = {
  name: 'procedure',
  fits: ({ call }) => call !== undefined,
  main: ({ main }) => main,
  instead: undefined,
  answer: (work, { driver }) => runProcedure(procedureRun(work), driver, work.options),
};

function procedureRun({ request, shape, scope, before: [, ...asked], exchange: { state } }: Work): ProcedureRun {
  const { call, plan } = shape;
  if (call === undefined || plan.kind !== 'call' || plan.routine.procedure === undefined)
    throw new Error('only a plan that calls a procedure has a CALL');
  const { role } = scope;
  const before = shape.before === undefined ? asked : [...asked, filled(shape.before, request, role, state)];
  const work = {
    name: plan.routine.name,
    before,
    call: filled(call, request, role, state),
    main: (outputs) => filled(shape.main, request, role, state, outputs),
    check: shape.check,
    hasOutputs: plan.routine.procedure.outputs.length > 0,
    rowAnswer: answersRow(plan) ? { response: responseStatement(state), seen: shape.calledRow } : undefined,
  } satisfies Partial<ProcedureRun>;
  return { ...work, ...transactionOf(plan.routine.procedure, shape, scope, state) };
}

/** The answer is the row of the OUT arguments, all of it and nothing but it. */
function answersRow({ tree, count, media }: CallPlan): boolean {
  const [only, another] = tree.outputs;
  return (
    only?.kind === 'star' &&
    another === undefined &&
    tree.where.length + tree.embeds.length + (tree.having?.length ?? 0) === 0 &&
    tree.window.offset === 0 &&
    tree.window.limit !== 0 &&
    count.kind === 'none' &&
    media.format.kind === 'array' &&
    !media.format.nullsStripped
  );
}

function transactionOf(
  { outside }: Procedure,
  shape: Shape,
  scope: ScopeParts,
  state: RestState,
):
  | Pick<Extract<ProcedureRun, { kind: 'inside' }>, 'kind' | 'scope' | 'end'>
  | Pick<Extract<ProcedureRun, { kind: 'outside' }>, 'kind' | 'role' | 'scope'> {
  const isolation = isolationOf(shape, scope.role, state);
  if (!outside) {
    const end = transactionEnd(shape, scope.role, state);
    const checked =
      end.kind === 'checked' ? end : { kind: 'checked' as const, isolation, rollback: false, check: () => undefined };
    return { kind: 'inside', scope: scopeStatement(scope, state.config.dbPreparedStatements), end: checked };
  }
  // Each transaction that it begins is one of the level that the request would have.
  const level = isolation === 'read committed' ? [] : [['default_transaction_isolation', isolation] as const];
  const parts = { ...scope, routineSettings: [...scope.routineSettings, ...level] };
  return { kind: 'outside', role: scope.role, scope: sessionScope(parts, LEFT_BEHIND) };
}

/** What the request itself, or its procedure for the answer, sets beside the scope. */
const LEFT_BEHIND = [ARGUMENTS, 'response.headers', 'response.status'];
