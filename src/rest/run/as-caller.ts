// A driver whose work is all one caller's: it takes its turns (`ExecuteOptions.caller`).

import type { Driver, ExecuteOptions } from '../../pg/driver.ts';

export function asCaller(driver: Driver, caller: string): Driver {
  const told = (options: ExecuteOptions = {}): ExecuteOptions => ({ caller, ...options });
  return {
    ...driver,
    execute: (batch, options) => driver.execute(batch, told(options)),
    hold: (work, options) => driver.hold(work, told(options)),
    copyIn: (before, copy, feed, options) => driver.copyIn(before, copy, feed, told(options)),
    copyOut: (before, copy, onChunk, options) => driver.copyOut(before, copy, onChunk, told(options)),
  };
}
