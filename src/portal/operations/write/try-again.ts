// Work that the database rolled back, to let another transaction through that waited for it → the same work once more. Nothing of
// it has happened, and the client cannot know that it only has to ask again.

import type { Result } from '../../../kernel/result.ts';
import type { PortalError } from '../../errors/portal-error.ts';

/** Whoever loses against somebody again and again is told to come later. */
const TRIES = 4;

/** `failureOf`: what of the work's own error is the failure. */
export async function tryAgain<T, E>(
  work: () => Promise<Result<T, E>>,
  failureOf: (error: E) => PortalError,
): Promise<Result<T, E>> {
  for (let left = TRIES - 1; ; left--) {
    const done = await work();
    if (done.ok || left === 0 || !isVictim(failureOf(done.error))) return done;
  }
}

/** Deadlock, and could not serialize access. */
function isVictim(failure: PortalError): boolean {
  return (
    failure.kind === 'database' &&
    failure.error.kind === 'sql' &&
    (failure.error.sqlstate === '40P01' || failure.error.sqlstate === '40001')
  );
}
