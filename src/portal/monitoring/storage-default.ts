// Tells the database how much space an account may use unless it has a quota of its own, as the settings say it.

import type { CallerDb } from '../../auth/caller-db.ts';
import type { BatchResult } from '../../pg/driver.ts';

/** 0: no limit. */
export function setStorageDefault(db: CallerDb, bytes: number): Promise<BatchResult> {
  return db.service([{ text: 'select portal.set_storage_default($1::bigint)', params: [String(bytes)] }]);
}
