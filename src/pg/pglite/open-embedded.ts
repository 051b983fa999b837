// A folder → the embedded database in it: locked, made from the template if it is new, durable, closed in good order.

import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { LockOwner } from '../data-folder/folder-lock.ts';
import { holdsOnly, tightenFolderMode } from '../data-folder/private-folder.ts';
import { undoReplacing } from '../data-folder/replace-database.ts';
import { type FolderTaken, takeDataFolder } from '../data-folder/take-data-folder.ts';
import type { Driver } from '../driver.ts';
import { clearDrafts, inspectFolder, makeDatabase } from './database-folder.ts';
import { type Engine, startEngine } from './engine.ts';
import type { OnPgliteEvent } from './events.ts';
import { startHousekeeping } from './housekeeping.ts';
import { makePgliteDriver } from './pglite-driver.ts';

export type EmbeddedOptions = {
  /** Made if it is not there. The database is in `database/` below it; the rest of the folder is left alone. */
  readonly dataDir: string;
  /** Data folder of a fresh database, as the build makes it. */
  readonly templatePath: string;
  /** Folder of the PostGIS files; default: beside the template. */
  readonly postgisPath?: string;
  /** Of `shared_buffers`. */
  readonly bufferMegabytes?: number;
  readonly acquisitionTimeoutMs?: number;
  readonly maxWaiting?: number;
  readonly statementCacheSize?: number;
  readonly onEvent?: OnPgliteEvent;
  /** Told to others who want the folder meanwhile. */
  readonly owner?: LockOwner;
};

export type EmbeddedError =
  | { readonly kind: 'folder-unusable' | 'start-failed'; readonly message: string }
  | FolderTaken
  /** Of PostgreSQL, whose files this one cannot read. */
  | { readonly kind: 'other-release'; readonly major: string; readonly message: string };

const MAJOR = '18'; // of the PostgreSQL inside the pinned PGlite; another one cannot read its files

/** Resolves once the database has started. Closing the driver closes the database and unlocks the folder. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Result<Driver, EmbeddedError>> {
  const dataDir = resolve(options.dataDir);
  const folder = join(dataDir, 'database');
  const onEvent = options.onEvent ?? (() => {});
  try {
    if (!existsSync(dataDir) || holdsOnly(dataDir, isOurs)) tighten(dataDir, onEvent);
  } catch (error) {
    return err({ kind: 'folder-unusable', message: `the folder "${dataDir}" cannot be used: ${String(error)}` });
  }
  const lock = takeDataFolder(dataDir, options.owner);
  if (!lock.ok) return lock;
  const refuseWith = (error: EmbeddedError): Result<never, EmbeddedError> => {
    lock.value.release();
    return err(error);
  };
  const refuse = (kind: 'folder-unusable' | 'start-failed', message: string): Result<never, EmbeddedError> =>
    refuseWith({ kind, message });

  undoReplacing(folder);
  const found = inspectFolder(folder);
  if (!found.ok) return refuse('folder-unusable', found.error);
  if (found.value.kind === 'database' && found.value.major !== MAJOR) {
    const { major } = found.value;
    const message = `the database in "${dataDir}" was made by PostgreSQL ${major}; this program embeds ${MAJOR}. It was left as it is: make a backup with the release of Survest that wrote it (survest backup FILE), and put it back into an empty data-dir with this one (survest restore FILE)`;
    return refuseWith({ kind: 'other-release', major, message });
  }
  const isNew = found.value.kind === 'none';
  try {
    clearDrafts(dataDir);
    if (isNew) await makeDatabase(options.templatePath, folder);
    tighten(folder, onEvent);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return refuse('start-failed', `the database in "${dataDir}" cannot be made: ${said}`);
  }

  const start = async (from: 'template' | 'folder'): Promise<Engine> => {
    const began = performance.now();
    const engine = await startEngine({
      dataDir: folder,
      template: null,
      bufferMegabytes: options.bufferMegabytes,
      postgis: options.postgisPath ?? join(dirname(options.templatePath), 'postgis'),
    });
    onEvent({ kind: 'engine-started', ms: performance.now() - began, from });
    return engine;
  };

  // Started here and not by the first request: it takes longer than a request may wait, and may turn out impossible.
  let first: Engine | undefined;
  try {
    first = await start(isNew ? 'template' : 'folder');
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return refuse('start-failed', `the database in "${dataDir}" cannot be opened: ${said}`);
  }
  const takeFirst = async (): Promise<Engine> => {
    const engine = first ?? (await start('folder'));
    first = undefined;
    return engine;
  };
  const driver = makePgliteDriver({ ...options, start: takeFirst });
  const housekeeping = startHousekeeping(driver, (table, ms) => onEvent({ kind: 'table-vacuumed', table, ms }));
  return ok({
    ...driver,
    close: async (deadlineMs) => {
      housekeeping.stop();
      try {
        await driver.close(deadlineMs);
        await first?.close();
      } finally {
        lock.value.release();
      }
    },
  });
}

/** What this program keeps in a data folder. */
function isOurs(name: string): boolean {
  return /^(database(\.lock.*|\.new-.+|\.socket|\.pg\d+(\.\d+)?|\.moved(\.\d+)?|\.replacing)?|postgres(\.new-.+|\.socket|\.moved(\.\d+)?)?|files|work|demo\.json.*)$/.test(
    name,
  );
}

function tighten(folder: string, onEvent: OnPgliteEvent): void {
  const found = tightenFolderMode(folder);
  if (found === 'tightened') onEvent({ kind: 'folder-tightened', folder });
  if (found === 'open') onEvent({ kind: 'folder-open', folder });
}
