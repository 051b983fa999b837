// A driver whose work is all one caller's: it takes its turns (`FlyOptions.caller`).

import type { Driver, FlyOptions } from '../../pg/driver.ts';

export function asCaller(driver: Driver, caller: string): Driver {
  const told = (options: FlyOptions = {}): FlyOptions => ({ caller, ...options });
  return {
    ...driver,
    fly: (flight, options) => driver.fly(flight, told(options)),
    hold: (work, options) => driver.hold(work, told(options)),
    copyIn: (before, copy, feed, options) => driver.copyIn(before, copy, feed, told(options)),
    copyOut: (before, copy, onChunk, options) => driver.copyOut(before, copy, onChunk, told(options)),
  };
}
