// A folder → the embedded database in it: locked, made from the template if it is new, durable, closed in good order.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Driver } from '../driver.ts';
import { type Engine, startEngine } from './engine.ts';
import type { OnPgliteEvent } from './events.ts';
import { type LockError, lockFolder } from './folder-lock.ts';
import { startHousekeeping } from './housekeeping.ts';
import { makePgliteDriver } from './pglite-driver.ts';

export type EmbeddedOptions = {
  /** Made if it is not there. The database is in `database/` below it; the rest of the folder is left alone. */
  readonly dataDir: string;
  /** Data folder of a fresh database, as the build makes it. */
  readonly templatePath: string;
  /** The PostGIS files; default: beside the template. */
  readonly bundlePath?: string;
  readonly acquisitionTimeoutMs?: number;
  readonly statementCacheSize?: number;
  readonly onEvent?: OnPgliteEvent;
};

export type EmbeddedError = {
  readonly kind: 'folder-locked' | 'folder-unusable' | 'other-release' | 'start-failed';
  readonly message: string;
};

const MAJOR = '18'; // of the PostgreSQL inside the pinned PGlite; another one cannot read its files

/** Resolves once the database has started. Closing the driver closes the database and unlocks the folder. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Result<Driver, EmbeddedError>> {
  const dataDir = resolve(options.dataDir);
  const folder = join(dataDir, 'database');
  const onEvent = options.onEvent ?? (() => {});
  try {
    mkdirSync(dataDir, { recursive: true });
  } catch (error) {
    return err({ kind: 'folder-unusable', message: `the folder "${dataDir}" cannot be used: ${String(error)}` });
  }
  const lock = lockFolder(`${folder}.lock`);
  if (!lock.ok) return err({ kind: 'folder-locked', message: lockMessage(dataDir, lock.error) });

  const major = readMajor(folder);
  if (major !== undefined && major !== MAJOR) {
    lock.value.release();
    const message = `the database in "${dataDir}" was made by PostgreSQL ${major}; this program embeds ${MAJOR}`;
    return err({ kind: 'other-release', message });
  }

  const start = async (): Promise<Engine> => {
    const began = performance.now();
    const isNew = !isComplete(folder);
    // A folder whose making was cut off has never held anything anyone was told is saved.
    if (isNew) rmSync(folder, { recursive: true, force: true });
    const engine = await startEngine({
      dataDir: folder,
      template: isNew ? options.templatePath : null,
      bundle: options.bundlePath ?? join(dirname(options.templatePath), 'postgis.tar.gz'),
    });
    if (isNew) writeFileSync(join(folder, COMPLETE), '');
    onEvent({ kind: 'engine-started', ms: performance.now() - began, from: isNew ? 'template' : 'folder' });
    return engine;
  };

  // Started here and not by the first request: it takes longer than a request may wait, and may turn out impossible.
  let first: Engine | undefined;
  try {
    first = await start();
  } catch (error) {
    lock.value.release();
    const said = error instanceof Error ? error.message : String(error);
    return err({ kind: 'start-failed', message: `the database in "${dataDir}" cannot be opened: ${said}` });
  }
  const takeFirst = async (): Promise<Engine> => {
    const engine = first ?? (await start());
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

export const COMPLETE = 'survest-complete';

function isComplete(folder: string): boolean {
  return existsSync(join(folder, COMPLETE));
}

function readMajor(folder: string): string | undefined {
  if (!isComplete(folder)) return undefined;
  try {
    return readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  } catch {
    return undefined;
  }
}

function lockMessage(dataDir: string, error: LockError): string {
  switch (error.kind) {
    case 'held': {
      const { pid, host } = error.holder;
      return `the folder "${dataDir}" is in use by process ${pid} on ${host} (its lock is ${error.path})`;
    }
    case 'contended':
      return `another program is just taking the folder "${dataDir}"`;
  }
}
