// A data folder of an earlier major release of PostgreSQL, brought to the embedded one at a start: read by the engine that wrote it, as a
// backup reads, and put back into a new database, table by table compared. The old folder stays beside the new one.

import { openDiskStore } from '../../blobs/disk.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { refillEmbedded } from '../../pg/pglite/fill-database.ts';
import { findOlderEngine } from '../../pg/pglite/older-engine.ts';
import type { EmbeddedOptions } from '../../pg/pglite/open-embedded.ts';
import { VERSION } from '../version.ts';
import type { ArchiveReader, ArchiveWriter, Failed } from './archive.ts';
import { dumpDatabase } from './dump-database.ts';
import { loadDatabase } from './load-database.ts';
import { type DatabasePart, FORMAT, FORMAT_VERSION, type Manifest } from './manifest.ts';
import { blobErrorText } from './store-archive.ts';

/** Sentences for the log. */
type Tell = (line: string) => void;

/** Undefined: there is no engine here that could read it. */
export async function upgradeEmbedded(
  options: EmbeddedOptions,
  major: string,
  tell: Tell,
): Promise<Result<void, Failed> | undefined> {
  const older = findOlderEngine(major);
  if (older === undefined) return undefined;
  const { signal } = new AbortController();
  tell(
    `the database in "${options.dataDir}" was made by PostgreSQL ${major} and is being moved to the release of this program`,
  );
  const moved = await refillEmbedded(options, older, {
    async read(driver, spool): Promise<Result<DatabasePart, Failed>> {
      const dumped = await dumpDatabase(driver, await intoFolder(spool), () => {}, signal);
      if (!dumped.ok) return dumped;
      const { database } = dumped.value;
      if (database.leftOut.length > 0) return err({ message: `${database.leftOut.join('; ')}, and would stay behind` });
      return ok(database);
    },
    async fill(driver, spool, database) {
      return loadDatabase(driver, await fromFolder(spool, database), { isOurs: true, onLoaded: () => {}, signal });
    },
  });
  if (!moved.ok) {
    const message = `the database in "${options.dataDir}" was made by PostgreSQL ${major} and could not be moved to the release of this program: ${moved.error.message}. It is as it was: make a backup with the release of Survest that wrote it, or ask for help with this message`;
    return err({ message });
  }
  for (const line of moved.value.filled.notes) tell(line);
  tell(
    `the database was moved; the old one is kept in "${moved.value.kept}" and can be removed when you have looked at the new one`,
  );
  return ok(undefined);
}

async function intoFolder(folder: string): Promise<Pick<ArchiveWriter, 'has' | 'put'>> {
  const store = await openDiskStore(folder);
  const kept = new Set<string>();
  return {
    has: (key) => kept.has(key),
    async put(key, _size, content) {
      const put = await store.put(key, content);
      if (!put.ok) return err({ message: `the rows cannot be kept meanwhile: ${blobErrorText(put.error)}` });
      kept.add(key);
      return ok(undefined);
    },
  };
}

async function fromFolder(folder: string, database: DatabasePart): Promise<ArchiveReader> {
  const store = await openDiskStore(folder);
  const manifest: Manifest = {
    format: FORMAT,
    version: FORMAT_VERSION,
    program: VERSION,
    created: new Date().toISOString(),
    database,
    // They stay where they are.
    files: [],
    state: {},
    missingFiles: [],
  };
  return {
    manifest,
    async open(key) {
      const opened = await store.open(key);
      return opened.ok
        ? ok(opened.value.stream)
        : err({ message: `${key} cannot be read: ${blobErrorText(opened.error)}` });
    },
    close: async () => {},
  };
}
