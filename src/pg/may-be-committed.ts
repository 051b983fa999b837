// Whether a write that failed may be in the database all the same: the connection was lost after the commit was sent and before its answer
// came. What its rows refer to must stay: a file that nothing refers to is found by the next sweep, a row without its file is a loss.

import type { DbError } from './driver.ts';
import { isOutage } from './is-outage.ts';

type DatabaseFailure = { readonly kind: 'database'; readonly error: DbError };

export function mayBeCommitted(failure: { readonly kind: string } | DatabaseFailure): boolean {
  return isOfDatabase(failure) && isOutage(failure.error);
}

function isOfDatabase(failure: { readonly kind: string } | DatabaseFailure): failure is DatabaseFailure {
  return failure.kind === 'database' && 'error' in failure;
}
