// Whether a request must look at its rows before they may stay, and what it looks for.

import type { RunError } from '../errors/run-error.ts';
import type { MutatePlan, QueryPlan } from '../plan/plan.ts';
import type { RaiseRules } from '../query/raise-sql.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { Found } from '../run/decode.ts';
import type { ResultCheck, TransactionEnd } from '../run/run.ts';
import type { Shape } from './shape-cache.ts';
import type { RestState } from './state.ts';

const COMMIT: TransactionEnd = { kind: 'commit' };

/** The role may have an isolation level of its own; all else follows from the shape. */
export function transactionEnd(shape: Shape, role: string, state: RestState): TransactionEnd {
  const { check, rollback } = shape;
  const isolation = isolationOf(shape, role, state);
  // What only reads has nothing to undo: its rows are checked when they are here.
  const undoes = !shape.readOnly && ((check !== undefined && !shape.raises) || rollback);
  if (!undoes && isolation === 'read committed')
    return check === undefined || shape.readOnly ? COMMIT : { kind: 'commit', check };
  return { kind: 'checked', isolation, rollback, check: check ?? accept };
}

function accept(): undefined {
  return undefined;
}

/** Writes that count what they could not do. */
function counts(change: MutatePlan['change']): boolean {
  switch (change.kind) {
    case 'update-each':
    case 'json-patch':
    case 'nested':
      return true;
    case 'merge':
      return change.keys.length > 0;
    default:
      return false;
  }
}

function writeProblem(
  { unpatched = 0, repeated = 0, several = 0, missing = 0, lost = 0, contradicted = 0 }: NonNullable<Found['problem']>,
  missingRows: ApiRequest['preferences']['missingRows'],
): RunError | undefined {
  if (contradicted > 0) return { kind: 'nested-contradiction', rows: contradicted };
  if (lost !== 0) return { kind: 'nested-rows-lost', rows: lost };
  if (unpatched !== 0) return { kind: 'json-patch-failed', rows: unpatched };
  if (repeated > 0) return { kind: 'rows-ambiguous', rows: repeated, why: 'repeated' };
  if (several > 0) return { kind: 'rows-ambiguous', rows: several, why: 'several' };
  if (missing < 0) return { kind: 'rows-ambiguous', rows: -missing, why: 'several' };
  return missing > 0 && missingRows === 'error' ? { kind: 'rows-missing', rows: missing } : undefined;
}

export function resultCheck(request: ApiRequest, plan: QueryPlan): ResultCheck | undefined {
  if (plan.media.explain !== undefined) return undefined;
  if (request.action.kind === 'upsert-one')
    return (found) => (found.page === 1 ? undefined : { kind: 'put-key-mismatch' });
  const { handling, maxAffected, missingRows } = request.preferences;
  const limit =
    handling === 'strict' && plan.kind !== 'read' && request.action.kind !== 'insert' ? maxAffected : undefined;
  const { singular } = plan.media;
  const isCounted = plan.kind === 'mutate' && counts(plan.change);
  if (!singular && limit === undefined && !isCounted) return undefined;
  return (found) => {
    const problem = found.problem === undefined ? undefined : writeProblem(found.problem, missingRows);
    if (problem !== undefined) return problem;
    if (singular && found.page !== 1) return { kind: 'singular', rows: found.page };
    return limit !== undefined && found.page > limit ? { kind: 'max-affected', rows: found.page } : undefined;
  };
}

/** The same as SQL, of writes: they refuse by themselves what the check would have undone. */
export function raiseRules(request: ApiRequest, plan: QueryPlan): RaiseRules | undefined {
  if (plan.kind !== 'mutate' || resultCheck(request, plan) === undefined) return undefined;
  const { handling, maxAffected, missingRows } = request.preferences;
  const missing = missingRows === 'error';
  if (request.action.kind === 'upsert-one' || plan.media.singular) return { missing, rows: { exactly: 1 } };
  const isLimited = handling === 'strict' && request.action.kind !== 'insert' && maxAffected !== undefined;
  return { missing, rows: isLimited ? { most: maxAffected } : undefined };
}

export function isolationOf(
  { plan }: Pick<Shape, 'plan'>,
  role: string,
  state: RestState,
): 'read committed' | 'repeatable read' | 'serializable' {
  const wanted = (plan.kind === 'call' ? plan.routine.isolation : null) ?? state.roles.get(role)?.isolation;
  return wanted === 'repeatable read' || wanted === 'serializable' ? wanted : 'read committed';
}
