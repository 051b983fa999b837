// A blob store with a ledger: every key is noted in the database before anything is written under it. What a process that died has left
// half done is found by it, and what somebody else keeps in the same place is never taken for it.

import type { CallerDb } from '../../auth/caller-db.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { first, statement } from './service-transaction.ts';

export function noteBlobs(blobs: BlobStore, db: CallerDb): BlobStore {
  const forget = async (key: string): Promise<void> => {
    // A note too many is in nobody's way.
    await db.service([statement('select portal.forget_blob($1)', key)]);
  };
  return {
    ...blobs,
    async put(key, content, options) {
      const noted = await db.service([statement('select portal.note_blob($1)', key)]);
      if (!noted.ok) return err({ kind: 'not-noted', error: noted.error });
      let isKept = false;
      try {
        const put = await blobs.put(key, content, options);
        isKept = put.ok;
        return put;
      } finally {
        if (!isKept) await forget(key);
      }
    },
    async remove(key) {
      // A backup may be copying it. What nothing refers to is found by the next sweep.
      const held = await db.service([statement('select portal.files_held()')]);
      if (held.ok && textRows(first(held.value))[0]?.[0] === 't') return ok(undefined);
      const removed = await blobs.remove(key);
      if (removed.ok) await forget(key);
      return removed;
    },
  };
}

/** Those of the keys that were made here and that nothing refers to any more. */
export async function orphansAmong(
  db: CallerDb,
  keys: readonly string[],
): Promise<Result<ReadonlySet<string>, DbError>> {
  const found = await db.service([
    statement('select portal.orphan_blobs(array(select jsonb_array_elements_text($1::jsonb)))', JSON.stringify(keys)),
  ]);
  return found.ok ? ok(new Set(textRows(first(found.value)).flatMap(([key]) => key ?? []))) : found;
}
