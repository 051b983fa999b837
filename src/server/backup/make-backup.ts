// A backup, step by step: files are held, the database is read in one snapshot, the files it refers to are copied, everything that was
// written is read again, and the manifest makes it a backup.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Driver } from '../../pg/driver.ts';
import type { ProgressBar } from '../command-line/progress-bar.ts';
import { VERSION } from '../version.ts';
import type { ArchiveWriter, Failed } from './archive.ts';
import { copyFilesInto } from './copy-files.ts';
import { type Dumped, dumpDatabase } from './dump-database.ts';
import { holdingFiles } from './hold-files.ts';
import { type FileEntry, FORMAT, FORMAT_VERSION, type Manifest } from './manifest.ts';

export type BackupParts = {
  readonly driver: Driver;
  /** A copy of the database as it is now, where reading it would hold up others. */
  readonly snapshot?: (() => Promise<Result<Driver, Failed>>) | undefined;
  readonly blobs: BlobStore;
  readonly dataDir: string;
  readonly bar: ProgressBar;
  readonly signal: AbortSignal;
  readonly now: Date;
};

export type Writer = ArchiveWriter & { known?(key: string): FileEntry | undefined };

export type MadeBackup = { readonly place: string; readonly manifest: Manifest };

/** Files of a data folder that belong to the portal and not to the machine. */
export const STATE_FILES: readonly string[] = ['demo.json'];

export async function makeBackup(parts: BackupParts, writer: Writer): Promise<Result<MadeBackup, Failed>> {
  const made = await holdingFiles(parts.driver, () => make(parts, writer)).catch(
    (cause: unknown): Result<never, Failed> => err({ message: cause instanceof Error ? cause.message : String(cause) }),
  );
  parts.bar.clear();
  if (!made.ok) await writer.abandon();
  return made;
}

async function make(parts: BackupParts, writer: Writer): Promise<Result<MadeBackup, Failed>> {
  const { bar, signal, blobs } = parts;
  const dumped = await dump(parts, writer);
  if (!dumped.ok) return dumped;
  const { database } = dumped.value;
  const copied = await copyFilesInto(
    writer,
    blobs,
    dumped.value.files,
    ({ key, share }) => bar.show('files', { share, note: key }),
    signal,
  );
  if (!copied.ok) return copied;
  const manifest: Manifest = {
    format: FORMAT,
    version: FORMAT_VERSION,
    program: VERSION,
    created: parts.now.toISOString(),
    database,
    files: copied.value.files,
    state: await readState(parts.dataDir),
    missingFiles: copied.value.missing,
  };
  const bytes =
    database.tables.flatMap(({ chunks }) => chunks).reduce((sum, chunk) => sum + chunk.bytes, 0) +
    manifest.files.reduce((sum, { size }) => sum + size, 0);
  let read = 0;
  const finished = await writer.finish(manifest, (more) => {
    read += more;
    bar.show('check', { share: read / (bytes || 1), note: '' });
  });
  if (!finished.ok) return finished;
  return ok({ place: finished.value.place, manifest });
}

async function dump({ driver, snapshot, bar, signal }: BackupParts, writer: Writer): Promise<Result<Dumped, Failed>> {
  const tell = ({ table, share }: { readonly table: string; readonly share: number }): void =>
    bar.show('database', { share, note: table });
  if (snapshot === undefined) return dumpDatabase(driver, writer, tell, signal);
  const opened = await snapshot();
  if (!opened.ok) return opened;
  try {
    return await dumpDatabase(opened.value, writer, tell, signal);
  } finally {
    await opened.value.close();
  }
}

async function readState(dataDir: string): Promise<Readonly<Record<string, string>>> {
  const state: Record<string, string> = {};
  for (const name of STATE_FILES) {
    const text = await readFile(join(dataDir, name), 'utf8').catch(() => undefined);
    if (text !== undefined) state[name] = text;
  }
  return state;
}
