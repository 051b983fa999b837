// Saving only over what was read (optimistic locking): the time of the last change goes along as `If-Match`, and a newer version is told
// apart from other failures.

import type { Failure } from './failure.ts';

/** `lastUpdated` undefined: whatever is there is overwritten. */
export function ifMatch(lastUpdated: string | undefined): Readonly<Record<string, string>> {
  return lastUpdated === undefined ? {} : { 'If-Match': `"${lastUpdated}"` };
}

export function isNewer(failure: Failure): boolean {
  return failure.kind === 'invalid' && failure.status === 412;
}
