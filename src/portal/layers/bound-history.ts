// Tells the database how much of the history of layers is kept, as the settings say it.

import type { CallerDb } from '../../auth/caller-db.ts';
import type { FlightResult } from '../../pg/driver.ts';

export function boundHistory(db: CallerDb, entries: number, days: number): Promise<FlightResult> {
  return db.service([
    { text: 'select portal.set_history_limits($1, $2)', params: [String(entries), String(days)], ignoreRows: true },
  ]);
}
