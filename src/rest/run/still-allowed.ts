// Whether a caller may still read what is being sent to them: the same statement is begun as them, and brings no row. PostgreSQL checks privileges
// when a statement begins.

import type { Driver, Statement } from '../../pg/driver.ts';

export async function stillAllowed(
  driver: Pick<Driver, 'execute'>,
  /** Scope, and what is asked before the rows. */
  before: readonly Statement[],
  { text, params }: Statement,
): Promise<boolean> {
  const executed = await driver.execute([
    ...before,
    { text: `select 1 from (${text}) as survest_check limit 0`, params },
  ]);
  // A database that cannot be asked just now has not said no.
  return executed.ok || executed.error.kind !== 'sql';
}
