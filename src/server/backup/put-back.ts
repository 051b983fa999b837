// A backup put back into an empty place: files first, the database last and in one transaction. Until that is committed there is no portal
// in the place, and what was put there is taken away again.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Driver } from '../../pg/driver.ts';
import { fillEmbedded } from '../../pg/pglite/fill-database.ts';
import type { ProgressBar } from '../command-line/progress-bar.ts';
import { EMBEDDED_TEMPLATE, type OpenedDatabase } from '../open-database.ts';
import type { ArchiveReader, Failed } from './archive.ts';
import { copyFilesFrom } from './copy-files.ts';
import { type Loaded, loadDatabase } from './load-database.ts';
import { STATE_FILES } from './make-backup.ts';
import { ANALYZE } from './sql/snapshot.ts';

export type Place = {
  /** Undefined: the embedded database in `dataDir`. */
  readonly open: (() => Promise<Result<OpenedDatabase, Failed>>) | undefined;
  readonly dataDir: string;
  /** Undefined: the files stay where they are. */
  readonly blobs: BlobStore | undefined;
  /** The caller has the data folder already. */
  readonly isLocked?: boolean;
};

const OWNER = { command: 'survest restore', isBrief: true };

export async function putBack(
  archive: ArchiveReader,
  place: Place,
  { bar, signal }: { readonly bar: ProgressBar; readonly signal: AbortSignal },
): Promise<Result<Loaded, Failed>> {
  const fill = async (driver: Driver, isOurs: boolean): Promise<Result<Loaded, Failed>> => {
    const copied =
      place.blobs === undefined
        ? ok({ undo: async () => {} })
        : await copyFilesFrom(
            archive,
            place.blobs,
            ({ key, share }) => bar.show('files', { share, note: key }),
            signal,
          );
    if (!copied.ok) return copied;
    const loaded = await loadDatabase(driver, archive, {
      isOurs,
      onLoaded: ({ table, share }) => bar.show('database', { share, note: table }),
      signal,
    });
    if (!loaded.ok) {
      await copied.value.undo();
      return loaded;
    }
    // Plans without statistics are poor; without this the first hours are slow, and nothing else.
    await driver.execute([{ text: ANALYZE, params: [] }]);
    return loaded;
  };
  try {
    const done = await (place.open === undefined
      ? fillEmbedded(
          {
            dataDir: place.dataDir,
            templatePath: EMBEDDED_TEMPLATE,
            owner: OWNER,
            isLocked: place.isLocked === true,
          },
          (driver) => fill(driver, true),
        )
      : intoServer(place.open, fill));
    if (done.ok) await writeState(archive, place.dataDir);
    return done;
  } catch (cause) {
    return err({ message: cause instanceof Error ? cause.message : String(cause) });
  } finally {
    bar.clear();
  }
}

async function intoServer(
  open: () => Promise<Result<OpenedDatabase, Failed>>,
  fill: (driver: Driver, isOurs: boolean) => Promise<Result<Loaded, Failed>>,
): Promise<Result<Loaded, Failed>> {
  const opened = await open();
  if (!opened.ok) return opened;
  try {
    return await fill(opened.value.driver, false);
  } finally {
    await opened.value.close();
  }
}

async function writeState(archive: ArchiveReader, dataDir: string): Promise<void> {
  for (const name of STATE_FILES) {
    const text = archive.manifest.state[name];
    if (text === undefined) continue;
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(join(dataDir, name), text, { flag: 'wx' }).catch(() => undefined);
  }
}
