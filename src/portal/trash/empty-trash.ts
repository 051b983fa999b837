// A periodic job that empties the bin: items whose days are over are deleted for good, with their tables and files.

import type { CallerDb } from '../../auth/caller-db.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { BatchResult, DbError } from '../../pg/driver.ts';

const EVERY_MS = 3600_000;

/** Tells the database for how many days the bin keeps what was deleted, as the settings say it. */
export function boundBin(db: CallerDb, days: number): Promise<BatchResult> {
  return db.service([{ text: 'select portal.set_bin_days($1)', params: [String(days)], ignoreRows: true }]);
}

/** Item by item, until nothing is due; how many there were. A file that cannot be removed now is found by the sweep. */
export async function emptyBin(
  db: CallerDb,
  blobs: BlobStore,
  isWanted: () => boolean = () => true,
): Promise<Result<number, DbError>> {
  let purged = 0;
  while (isWanted()) {
    const executed = await db.service([{ text: 'select to_jsonb(portal.purge_next())', params: [] }]);
    if (!executed.ok) return executed;
    const files = executed.value[0]?.rows[0]?.[0];
    if (files === null || files === undefined) break;
    for (const key of JSON.parse(files.toString()) as readonly string[]) await blobs.remove(key);
    purged += 1;
  }
  return ok(purged);
}

/** Returns how to stop. What one run could not do is made up for by the next. */
export function startEmptyingBin(db: CallerDb, blobs: BlobStore): () => void {
  let isRunning = false;
  let isWanted = true;
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    try {
      await emptyBin(db, blobs, () => isWanted);
    } finally {
      isRunning = false;
    }
  };
  const timer = setInterval(() => void run(), EVERY_MS);
  timer.unref();
  void run();
  return () => {
    isWanted = false;
    clearInterval(timer);
  };
}
