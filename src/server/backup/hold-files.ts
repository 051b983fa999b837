// While a backup copies files, none is removed: said in the database, where every copy of the program looks before it removes one.

import { randomUUID } from 'node:crypto';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Driver } from '../../pg/driver.ts';
import type { Failed } from './archive.ts';
import { HOLD_FILES, RELEASE_FILES } from './sql/snapshot.ts';

const HELD_SECONDS = 180;
const RENEW_MS = 60_000;

/** Held before `work` begins and until it ends, or this process does. */
export async function holdingFiles<T>(
  driver: Driver,
  work: () => Promise<Result<T, Failed>>,
): Promise<Result<T, Failed>> {
  const run = randomUUID();
  const hold = () => driver.execute([{ text: HOLD_FILES, params: [run, String(HELD_SECONDS)] }]);
  const held = await hold();
  if (!held.ok) {
    const said = 'message' in held.error ? held.error.message : held.error.kind;
    return err({ message: `the database cannot be used: ${said}` });
  }
  // One that fails is followed by another before the time is over.
  const renewing = setInterval(() => void hold(), RENEW_MS);
  try {
    const done = await work();
    return done.ok ? ok(done.value) : done;
  } finally {
    clearInterval(renewing);
    await driver.execute([{ text: RELEASE_FILES, params: [run] }]);
  }
}
