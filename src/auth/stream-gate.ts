// A gate for streams of rows: never more at once than half of the connections, so that quick requests always find one. Who comes
// later waits in turn, for a bounded time.

import { err, type Result } from '../kernel/result.ts';
import type { CancelSignal, DbError, Driver } from '../pg/driver.ts';

export type StreamGate = <T>(
  work: () => Promise<Result<T, DbError>>,
  signal?: CancelSignal,
) => Promise<Result<T, DbError>>;

const WAIT_MS = 30_000;

export function makeStreamGate(driver: Pick<Driver, 'stats'>, waitMs: number = WAIT_MS): StreamGate {
  const waiting: (() => void)[] = [];
  let running = 0;
  const hasRoom = (): boolean => running < Math.max(1, Math.floor(driver.stats().max / 2));
  const next = (): void => {
    running -= 1;
    const first = hasRoom() ? waiting.shift() : undefined;
    if (first === undefined) return;
    // Taken here, before anybody else can come.
    running += 1;
    first();
  };
  return async (work, signal) => {
    if (hasRoom()) running += 1;
    else {
      const refused = await turn(waiting, waitMs, signal);
      if (refused !== undefined) return err(refused);
    }
    try {
      return await work();
    } finally {
      next();
    }
  };
}

/** Resolves when it is one's turn, or with the reason why it never is. */
function turn(waiting: (() => void)[], waitMs: number, signal: CancelSignal | undefined): Promise<DbError | undefined> {
  return new Promise((resolve) => {
    const leave = (why: DbError | undefined): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      const at = waiting.indexOf(go);
      if (at >= 0) waiting.splice(at, 1);
      resolve(why);
    };
    const go = (): void => leave(undefined);
    const onAbort = (): void => leave({ kind: 'cancelled' });
    const timer = setTimeout(() => leave({ kind: 'pool-timeout', afterMs: waitMs }), waitMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    waiting.push(go);
  });
}
