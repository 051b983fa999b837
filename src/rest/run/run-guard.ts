// Asks the relation guard by itself, for requests that need nothing else of the database.

import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, ExecuteOptions, Statement } from '../../pg/driver.ts';

export async function runGuard(
  driver: Driver,
  scope: Statement,
  guard: Statement,
  options: Pick<ExecuteOptions, 'signal'>,
): Promise<Result<undefined, DbError>> {
  const asked = await driver.execute([scope, guard], options);
  return asked.ok ? ok(undefined) : asked;
}
