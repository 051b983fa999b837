// Whether a request must look at its rows before they may stay, and what it looks for.

import type { RunError } from '../errors/run-error.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { Found } from '../run/decode.ts';
import type { TransactionEnd } from '../run/run.ts';
import type { Shape } from './shape-cache.ts';
import type { RestState } from './state.ts';

type Judge = (found: Found) => RunError | undefined;

const COMMIT: TransactionEnd = { kind: 'commit' };

export function transactionEnd(request: ApiRequest, shape: Shape, role: string, state: RestState): TransactionEnd {
  const isolation = isolationOf(shape, role, state);
  const rollback =
    request.preferences.tx === undefined
      ? state.config.dbTxEnd.startsWith('rollback')
      : request.preferences.tx === 'rollback';
  const judge = judgeOf(request, shape);
  // What only reads has nothing to undo: its rows are judged when they are here.
  const undoes = !shape.readOnly && (judge !== undefined || rollback);
  if (!undoes && isolation === 'read committed') return COMMIT;
  return { kind: 'judged', isolation, rollback, judge: judge ?? accept };
}

function accept(): undefined {
  return undefined;
}

export function judgeOf(request: ApiRequest, { plan }: Shape): Judge | undefined {
  if (plan.media.explain !== undefined) return undefined;
  if (request.action.kind === 'upsert-one')
    return (found) => (found.page === 1 ? undefined : { kind: 'put-key-mismatch' });
  const { handling, maxAffected } = request.preferences;
  const limit =
    handling === 'strict' && plan.kind !== 'read' && request.action.kind !== 'insert' ? maxAffected : undefined;
  const { singular } = plan.media;
  if (!singular && limit === undefined) return undefined;
  return (found) => {
    if (singular && found.page !== 1) return { kind: 'singular', rows: found.page };
    return limit !== undefined && found.page > limit ? { kind: 'max-affected', rows: found.page } : undefined;
  };
}

export function isolationOf(
  { plan }: Shape,
  role: string,
  state: RestState,
): 'read committed' | 'repeatable read' | 'serializable' {
  const wanted = (plan.kind === 'call' ? plan.routine.isolation : null) ?? state.roles.get(role)?.isolation;
  return wanted === 'repeatable read' || wanted === 'serializable' ? wanted : 'read committed';
}
