// Tells the database how much of the history of layers and how many versions of items are kept, as the settings say it.

import type { CallerDb } from '../../auth/caller-db.ts';
import type { BatchResult } from '../../pg/driver.ts';

export type HistoryBounds = {
  readonly historyEntries: number;
  readonly historyDays: number;
  readonly versionEntries: number;
};

export function boundHistory(
  db: CallerDb,
  { historyEntries, historyDays, versionEntries }: HistoryBounds,
): Promise<BatchResult> {
  return db.service([
    {
      text: 'select portal.set_history_limits($1, $2), portal.set_version_limit($3)',
      params: [String(historyEntries), String(historyDays), String(versionEntries)],
      ignoreRows: true,
    },
  ]);
}
