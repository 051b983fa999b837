// survest backup and survest restore: the portal's database and files into one archive, or into a place that keeps many, and back.

import { constants, setPriority } from 'node:os';
import { makeCallerDb } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Driver } from '../../pg/driver.ts';
import { openCopy } from '../../pg/pglite/open-copy.ts';
import type { Failed } from '../backup/archive.ts';
import { openBackup, openStore } from '../backup/backup-place.ts';
import { makeBackup, type Writer } from '../backup/make-backup.ts';
import type { Manifest } from '../backup/manifest.ts';
import { putBack } from '../backup/put-back.ts';
import { dropOldBackups, listBackups, writeStoredBackup } from '../backup/store-archive.ts';
import { writeTarArchive } from '../backup/tar-archive.ts';
import { verifyArchive } from '../backup/verify-archive.ts';
import { EXIT, type ExitCode } from '../command-line/exit-code.ts';
import type { Command } from '../command-line/parse-command-line.ts';
import { makeProgressBar } from '../command-line/progress-bar.ts';
import type { ServerConfig } from '../config/config.ts';
import { EMBEDDED_POSTGIS, type OpenedDatabase } from '../open-database.ts';
import { checkPortalChanges } from '../portal/migrate-portal.ts';
import { openBlobStore, openFilePlace } from '../portal/open-blob-store.ts';

export type BackupCommand = Extract<Command, { kind: 'backup' }>;
export type RestoreCommand = Extract<Command, { kind: 'restore' }>;

export type BackupCommandParts = {
  readonly config: ServerConfig;
  readonly open: () => Promise<Result<OpenedDatabase, Failed>>;
  /** What the database lacks of this version. */
  readonly missing: (driver: Driver) => Promise<Result<readonly string[], Failed>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly terminal: Parameters<typeof makeProgressBar>[0];
  readonly signal: AbortSignal;
  readonly now: () => Date;
};

export async function runBackupCommand(command: BackupCommand, parts: BackupCommandParts): Promise<ExitCode> {
  const wrong = mistakeIn(command);
  const done =
    wrong !== undefined
      ? err({ message: wrong })
      : command.list
        ? await list(command, parts)
        : await backup(command, parts);
  if (!done.ok) parts.err(`survest backup: ${done.error.message}\n`);
  return done.ok ? EXIT.done : EXIT.failed;
}

function mistakeIn({ archive, to, keep }: BackupCommand): string | undefined {
  if (archive === undefined && to === undefined) return 'name an archive to write, or a place with --to';
  if (archive !== undefined && to !== undefined) return 'an archive or --to, not both';
  if (keep !== undefined && !(Number.isSafeInteger(keep) && keep >= 1))
    return '--keep is a number of backups, at least 1';
  return undefined;
}

async function list({ to }: BackupCommand, parts: BackupCommandParts): Promise<Result<void, Failed>> {
  const store = await openStore(to ?? '', parts.config);
  if (!store.ok) return store;
  for (const { name } of await listBackups(store.value)) parts.out(`${name}\n`);
  return ok(undefined);
}

async function backup(command: BackupCommand, parts: BackupCommandParts): Promise<Result<void, Failed>> {
  const { config } = parts;
  const now = parts.now();
  // People who use the portal meanwhile come first: packing takes a whole processor where it gets one.
  setPriority(constants.priority.PRIORITY_LOW);
  const opened = await parts.open();
  if (!opened.ok) return opened;
  const { driver, isShared } = opened.value;
  // A running program has the embedded database open: it goes on while the copy is read.
  const snapshot = isShared && !driver.can.overlap ? () => copyOf(driver, config.dataDir) : undefined;
  try {
    const missing = await parts.missing(driver);
    if (!missing.ok) return missing;
    if (missing.value.length > 0)
      return err({
        message:
          'the database is not at this version: use the release that it is at, or let survest migrate bring it here first',
      });
    const blobs = await openBlobStore(config, makeCallerDb(driver));
    const store = command.to === undefined ? undefined : await openStore(command.to, config);
    if (store?.ok === false) return store;
    const writer: Result<Writer, Failed> =
      store === undefined
        ? await writeTarArchive(command.archive ?? '')
        : await writeStoredBackup({ store: store.value, place: command.to ?? '', now });
    if (!writer.ok) return writer;
    const bar = makeProgressBar(parts.terminal);
    const made = await makeBackup(
      { driver, snapshot, blobs, dataDir: config.dataDir, bar, signal: parts.signal, now },
      writer.value,
    );
    if (!made.ok) return made;
    parts.out(`${made.value.place}: ${contents(made.value.manifest)}\n`);
    tellNotes(made.value.manifest, parts);
    if (store !== undefined && command.keep !== undefined) {
      const dropped = await dropOldBackups(store.value, command.to ?? '', command.keep);
      if (!dropped.ok) return dropped;
      for (const name of dropped.value) parts.out(`removed the backup ${name}\n`);
    }
    return ok(undefined);
  } finally {
    await opened.value.close();
  }
}

async function copyOf(driver: Driver, dataDir: string): Promise<Result<Driver, Failed>> {
  const copy = await openCopy(driver, dataDir, EMBEDDED_POSTGIS);
  if (copy.ok) return copy;
  const { error } = copy;
  if (error.kind === 'not-copied')
    return err({
      message: `the database cannot be copied in "${dataDir}", where a backup beside a running program reads it from: ${error.message}`,
    });
  return err({
    message: `the database cannot be copied: ${'message' in error.error ? error.error.message : error.error.kind}`,
  });
}

export async function runRestoreCommand(command: RestoreCommand, parts: BackupCommandParts): Promise<ExitCode> {
  const done = await restore(command, parts);
  if (!done.ok) parts.err(`survest restore: ${done.error.message}\n`);
  return done.ok ? EXIT.done : EXIT.failed;
}

async function restore(command: RestoreCommand, parts: BackupCommandParts): Promise<Result<void, Failed>> {
  const { config, signal } = parts;
  const archive = await openBackup(command.archive, command.backup, config);
  if (!archive.ok) return archive;
  const bar = makeProgressBar(parts.terminal);
  try {
    const { manifest } = archive.value;
    if (command.check) {
      const known = await checkPortalChanges(manifest.database.migrations);
      if (!known.ok) return known;
      const checked = await verifyArchive(archive.value, () => {});
      if (!checked.ok) return checked;
      parts.out(`${command.archive}: whole, ${contents(manifest)}\n`);
      return ok(undefined);
    }
    const place = {
      open: config.dbUri === undefined ? undefined : parts.open,
      dataDir: config.dataDir,
      blobs: await openFilePlace(config),
    };
    const done = await putBack(archive.value, place, { bar, signal });
    if (!done.ok) return err({ message: `${done.error.message}. Nothing was put back` });
    parts.out(`${command.archive}: put back, ${contents(manifest)}\n`);
    tellNotes(manifest, parts);
    for (const note of done.value.notes) parts.err(`note: ${note}\n`);
    return ok(undefined);
  } finally {
    bar.clear();
    await archive.value.close();
  }
}

function contents({ created, program, database, files }: Manifest): string {
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
  return `${database.tables.length} tables with ${rows.toLocaleString('en')} rows, ${files.length.toLocaleString('en')} files, made ${created} by Survest ${program}`;
}

function tellNotes({ database, missingFiles }: Manifest, parts: BackupCommandParts): void {
  for (const text of database.leftOut) parts.err(`note: ${text}\n`);
  for (const key of missingFiles)
    parts.err(`note: the file ${key} was missing; survest doctor says what refers to it\n`);
}
