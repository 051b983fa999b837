// Where the primary's log is: after a write was committed, all of it lies before this position.

import type { Driver } from '../../pg/driver.ts';
import { parseLsn } from '../../pg/replicas/lsn.ts';

/** Undefined: nobody can say just now. */
export async function askPosition(driver: Pick<Driver, 'execute'>): Promise<bigint | undefined> {
  const asked = await driver.execute([
    { text: 'select pg_catalog.pg_current_wal_insert_lsn()', params: [], name: 'current_position' },
  ]);
  return asked.ok ? parseLsn(asked.value[0]?.rows[0]?.[0]?.toString() ?? '') : undefined;
}
