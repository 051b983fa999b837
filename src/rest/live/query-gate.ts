// A gate for the queries of live streams: a quarter of the connections at most, so that ordinary requests go on however much changes.
// Who comes later waits in turn.

import type { Driver } from '../../pg/driver.ts';

export type QueryGate = <T>(work: () => Promise<T>) => Promise<T>;

export function makeQueryGate(driver: Pick<Driver, 'stats'>): QueryGate {
  const waiting: (() => void)[] = [];
  let running = 0;
  const hasRoom = (): boolean => running < Math.max(1, Math.floor(driver.stats().max / 4));
  return async (work) => {
    if (hasRoom()) running += 1;
    // Whoever leaves hands on its place.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
