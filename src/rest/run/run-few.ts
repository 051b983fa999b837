// Few rows as one body that the database makes: one flight, as any read.

import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, FlyOptions, Statement } from '../../pg/driver.ts';
import { decodeResult } from './decode.ts';
import type { Outcome } from './run.ts';

/** `before`: scope, and what has to be asked before the rows. */
export async function runFew(
  before: readonly Statement[],
  main: Statement,
  driver: Driver,
  options: FlyOptions,
): Promise<Result<Outcome, DbError>> {
  const flown = await driver.fly([...before, main], options);
  if (!flown.ok) return flown;
  const result = flown.value.at(-1);
  if (result === undefined) throw new Error('a statement of a flight has no result');
  return ok({ found: decodeResult(result), estimate: undefined });
}
