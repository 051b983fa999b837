// A new embedded database, made beside its place, filled by the caller, and moved there when that has succeeded: a fill that fails or is
// killed leaves nothing that a start would open.

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { err, ok, type Result } from '../../kernel/result.ts';
import { replaceDatabase } from '../data-folder/replace-database.ts';
import { syncFolder } from '../data-folder/sync-folder.ts';
import { takeDataFolder } from '../data-folder/take-data-folder.ts';
import type { Driver } from '../driver.ts';
import { clearDrafts, inspectFolder, markUnfinished } from './database-folder.ts';
import { type OlderEngine, openOlder } from './older-engine.ts';
import { type EmbeddedOptions, openEmbedded } from './open-embedded.ts';

type Failed = { readonly message: string };

/** Into a place that has none. `isLocked`: the caller has the data folder already. */
export function fillEmbedded<T>(
  options: EmbeddedOptions & { readonly isLocked?: boolean },
  fill: (driver: Driver) => Promise<Result<T, Failed>>,
): Promise<Result<T, Failed>> {
  return inDraft(options, async (draft, folder) => {
    const found = inspectFolder(folder);
    if (!found.ok) return err({ message: found.error });
    if (found.value.kind !== 'none') return err({ message: `there is a database in "${options.dataDir}" already` });
    const filled = await filledIn(draft, options, fill);
    if (!filled.ok) return filled;
    // An empty folder is as good as none, and in the way.
    if (existsSync(folder)) rmdirSync(folder);
    renameSync(join(draft, 'database'), folder);
    await syncFolder(dirname(folder));
    return filled;
  });
}

export type Refilled<T> = { readonly filled: T; readonly kept: string };

/**
 * In the place of a database of an earlier major release, which is read by its own engine and kept beside it.
 *
 * @param spool gets a folder for what is read, and reads it before the new database is begun: two engines at once would take their memory twice
 */
export function refillEmbedded<Read, T>(
  options: EmbeddedOptions,
  older: OlderEngine,
  steps: {
    read(driver: Driver, spool: string): Promise<Result<Read, Failed>>;
    fill(driver: Driver, spool: string, read: Read): Promise<Result<T, Failed>>;
  },
): Promise<Result<Refilled<T>, Failed>> {
  return inDraft(options, async (draft, folder) => {
    const found = inspectFolder(folder);
    if (!found.ok) return err({ message: found.error });
    if (found.value.kind !== 'database') return err({ message: `there is no database in "${options.dataDir}"` });
    const spool = join(draft, 'rows');
    const old = openOlder(folder, older);
    const read = await steps.read(old, spool).finally(() => old.close());
    if (!read.ok) return read;
    const filled = await filledIn(draft, options, (driver) => steps.fill(driver, spool, read.value));
    if (!filled.ok) return filled;
    const kept = await replaceDatabase(folder, join(draft, 'database'), `pg${found.value.major}`);
    return ok({ filled: filled.value, kept });
  });
}

/** Holds the lock of the data folder; the draft is gone afterwards. */
async function inDraft<T>(
  {
    dataDir: dataFolder,
    owner,
    isLocked,
  }: Pick<EmbeddedOptions, 'dataDir' | 'owner'> & { readonly isLocked?: boolean },
  work: (draft: string, folder: string) => Promise<Result<T, Failed>>,
): Promise<Result<T, Failed>> {
  const dataDir = resolve(dataFolder);
  const folder = join(dataDir, 'database');
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    return err({ message: `the folder "${dataDir}" cannot be used: ${String(cause)}` });
  }
  const lock = isLocked === true ? ok(undefined) : takeDataFolder(dataDir, owner);
  if (!lock.ok) return lock;
  const draft = join(dataDir, `database.new-${randomUUID()}`);
  try {
    clearDrafts(dataDir);
    mkdirSync(draft, { mode: 0o700 });
    markUnfinished(draft);
    return await work(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
    lock.value?.release();
  }
}

async function filledIn<T>(
  draft: string,
  options: EmbeddedOptions,
  fill: (driver: Driver) => Promise<Result<T, Failed>>,
): Promise<Result<T, Failed>> {
  const opened = await openEmbedded({ ...options, dataDir: draft });
  if (!opened.ok) return err({ message: opened.error.message });
  return fill(opened.value).finally(() => opened.value.close());
}
