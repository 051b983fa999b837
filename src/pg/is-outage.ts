// Whether the database is the trouble and the statement may well succeed later: it stops, is crashed, full, paused, read-only, or gave way to
// another transaction. What cannot be told from a fault of the statement is not an outage.

import type { DbError } from './driver.ts';

export function isOutage(error: DbError): boolean {
  return error.kind === 'sql' ? OUTAGE.test(error.sqlstate) : true;
}

/**
 * Connection exceptions (08), rolled back for another (40), resources (53) but the disk, which is told apart, a lock that was not to be had
 * (55P03), cancelled or shut down by somebody (57), the system below (58), a standby or a server set to read only (25006).
 */
const OUTAGE = /^(?:08|40|53(?!100)|55P03|57|58|25006)/;
