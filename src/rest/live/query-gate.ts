// A gate for the queries of live streams: a quarter of the connections at most, so that ordinary requests go on however much changes.

import { makeSemaphore } from '../../kernel/semaphore.ts';
import type { Driver } from '../../pg/driver.ts';

export type QueryGate = <T>(work: () => Promise<T>) => Promise<T>;

export function makeQueryGate(driver: Pick<Driver, 'stats'>): QueryGate {
  const turns = makeSemaphore({ room: () => Math.max(1, Math.floor(driver.stats().max / 4)) });
  return async (work) => {
    const done = await turns.run({}, work);
    if (!done.ok) throw new Error('nobody is refused here: waits have no limit');
    return done.value;
  };
}
