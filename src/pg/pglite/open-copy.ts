// A copy of an embedded database that is in use, with an engine of its own: whoever reads everything at one moment does it there. The engine in use
// has one session; it is held while its files are copied, and not while they are read.

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, Session } from '../driver.ts';
import { markUnfinished } from './database-folder.ts';
import { startEngine } from './engine.ts';
import { makePgliteDriver } from './pglite-driver.ts';

export type CopyError =
  | { readonly kind: 'database'; readonly error: DbError }
  /** In the words of the file system: there is no room for it, most likely. */
  | { readonly kind: 'not-copied'; readonly message: string };

/** Whoever holds a session of another program and says nothing for a minute loses it. */
const SIGN_OF_LIFE_MS = 10_000;

/** `dataDir` is that of `running`. Closing the copy's driver removes the copy; should we be killed before, the next start does. */
export async function openCopy(running: Driver, dataDir: string, postgis: string): Promise<Result<Driver, CopyError>> {
  const draft = join(dataDir, `database.new-${randomUUID()}`);
  const folder = join(draft, 'database');
  const remove = (): Promise<void> => rm(draft, { recursive: true, force: true });
  try {
    await mkdir(draft, { mode: 0o700 });
    markUnfinished(draft);
    const held = await running.hold((session) => copyWhileHeld(session, join(dataDir, 'database'), folder));
    const copied = held.ok ? held.value : held;
    if (!copied.ok) {
      await remove();
      return err({ kind: 'database', error: copied.error });
    }
  } catch (error) {
    await remove();
    return err({ kind: 'not-copied', message: error instanceof Error ? error.message : String(error) });
  }
  const driver = makePgliteDriver({
    start: () => startEngine({ dataDir: folder, template: null, postgis }),
    // Everything is asked once: there is nothing to gain from preparing it.
    statementCacheSize: 0,
    acquisitionTimeoutMs: 120_000,
  });
  return ok({
    ...driver,
    close: async (deadlineMs) => {
      await driver.close(deadlineMs);
      await remove();
    },
  });
}

/** After a checkpoint everything is in the files, and as long as the session is ours nothing is added. */
async function copyWhileHeld(session: Session, from: string, to: string): Promise<Result<undefined, DbError>> {
  const written = await session.execute([{ text: 'checkpoint', params: [] }]);
  if (!written.ok) return written;
  // Where the file system can share blocks between files, nothing is copied.
  const copying = cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE }).then(() => 'copied' as const);
  for (;;) {
    const done = await Promise.race([copying, delay(SIGN_OF_LIFE_MS, undefined, { ref: false })]);
    // Also at the end: were the session not ours any more, somebody may have written between two of the files.
    const alive = await session.execute([{ text: 'select 1', params: [] }]);
    if (!alive.ok) {
      await copying;
      return alive;
    }
    if (done === 'copied') return ok(undefined);
  }
}
