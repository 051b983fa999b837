// A gate for streams of rows: never more at once than half of the connections, so that quick requests always find one. Who comes
// later waits in turn, for a bounded time.

import { err, type Result } from '../kernel/result.ts';
import { makeSemaphore } from '../kernel/semaphore.ts';
import type { CancelSignal, DbError, Driver } from '../pg/driver.ts';

export type StreamGate = <T>(
  work: () => Promise<Result<T, DbError>>,
  signal?: CancelSignal,
  /** Whose turn it is; those of one caller wait for each other first. */
  caller?: string,
) => Promise<Result<T, DbError>>;

const WAIT_MS = 30_000;

export function makeStreamGate(driver: Pick<Driver, 'stats'>, waitMs: number = WAIT_MS): StreamGate {
  const turns = makeSemaphore({ room: () => Math.max(1, Math.floor(driver.stats().max / 2)), waitMs });
  return async (work, signal, caller = '') => {
    const done = await turns.run({ caller, signal }, work);
    if (done.ok) return done.value;
    return err(done.error === 'cancelled' ? { kind: 'cancelled' } : { kind: 'pool-timeout', afterMs: waitMs });
  };
}
