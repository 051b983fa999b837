// survest move: the portal to another place, by the way of a backup that is put back: rows through a folder of temporary files, files straight
// from one store to the other. The old place is only read.

import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { openDiskStore } from '../../blobs/disk.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Driver } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { type ArchiveReader, type Failed, fileKey } from '../backup/archive.ts';
import { makeBackup, type Writer } from '../backup/make-backup.ts';
import type { Manifest } from '../backup/manifest.ts';
import { describePlace, MOVE_TARGETS, moveTarget } from '../backup/move-target.ts';
import { type Place, putBack } from '../backup/put-back.ts';
import { OTHER_PROGRAMS } from '../backup/sql/snapshot.ts';
import { blobErrorText } from '../backup/store-archive.ts';
import { EXIT, type ExitCode } from '../command-line/exit-code.ts';
import type { Command } from '../command-line/parse-command-line.ts';
import { makeProgressBar } from '../command-line/progress-bar.ts';
import type { ServerConfig } from '../config/config.ts';
import type { OpenedDatabase } from '../open-database.ts';
import { openFilePlace } from '../portal/open-blob-store.ts';

export type MoveCommand = Extract<Command, { kind: 'move' }>;

export type MoveCommandParts = {
  readonly config: ServerConfig;
  readonly open: (config: ServerConfig) => Promise<Result<OpenedDatabase, Failed>>;
  /** What the database lacks of this version. */
  readonly missing: (driver: Driver) => Promise<Result<readonly string[], Failed>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly terminal: Parameters<typeof makeProgressBar>[0];
  readonly signal: AbortSignal;
  readonly now: () => Date;
};

const FEW = 3;

export async function runMoveCommand(command: MoveCommand, parts: MoveCommandParts): Promise<ExitCode> {
  const done = await move(command, parts);
  if (!done.ok) parts.err(`survest move: ${done.error.message}\n`);
  return done.ok ? EXIT.done : EXIT.failed;
}

async function move({ to, filesTo }: MoveCommand, parts: MoveCommandParts): Promise<Result<void, Failed>> {
  const { config } = parts;
  if (to === undefined) return err({ message: `say where to: --to ${MOVE_TARGETS}` });
  const target = await moveTarget(to, { config, filesTo, open: parts.open });
  if (!target.ok) return target;
  const { place, finish, abandon } = target.value;
  const opened = await parts.open({ ...config, dbPool: FEW });
  if (!opened.ok) return opened;
  // Kept when it is broken off: what is in it is named by its content, and need not be written again.
  const folder = join(tmpdir(), `survest-move-${digest(`${describePlace(config)} ${to}`).slice(0, 16)}`);
  const bar = makeProgressBar(parts.terminal);
  let closed: Promise<void> | undefined;
  const closeOld = (): Promise<void> => {
    closed ??= opened.value.close();
    return closed;
  };
  try {
    const fit = await isFit(opened.value.driver, parts);
    if (!fit.ok) return fit;
    const source = await openFilePlace(config);
    const spool = await openDiskStore(folder);
    const { writer, read } = await throughFolder(spool, source);
    const made = await makeBackup(
      {
        driver: opened.value.driver,
        blobs: source,
        dataDir: config.dataDir,
        bar,
        signal: parts.signal,
        now: parts.now(),
      },
      writer,
    );
    if (!made.ok) return err({ message: `${made.error.message}. The old place is as it was` });
    const put = await putBack(read(made.value.manifest), place, { bar, signal: parts.signal });
    if (!put.ok) {
      abandon();
      return err({ message: `${put.error.message}. Nothing was moved, and the old place is as it was` });
    }
    await closeOld();
    const finished = await finish();
    if (!finished.ok) return finished;
    await rm(folder, { recursive: true, force: true });
    tell(made.value.manifest, [...put.value.notes, ...finished.value], place, parts);
    return ok(undefined);
  } finally {
    bar.clear();
    await closeOld();
  }
}

/** At this version, and nobody else at work in it. */
async function isFit(driver: Driver, parts: MoveCommandParts): Promise<Result<void, Failed>> {
  if (driver.can.share) {
    const others = await driver.execute([{ text: OTHER_PROGRAMS, params: [] }]);
    if (!others.ok) return err({ message: 'message' in others.error ? others.error.message : others.error.kind });
    const count = Number(others.value.flatMap(textRows)[0]?.[0] ?? 0);
    if (count > 0)
      return err({
        message: `Survest is running on this database (${count} connections): stop it first, for what it writes meanwhile would stay behind`,
      });
  }
  const missing = await parts.missing(driver);
  if (!missing.ok) return missing;
  return missing.value.length === 0
    ? ok(undefined)
    : err({ message: 'the database is not at this version: survest migrate brings it there' });
}

/** Rows are kept in the folder; files are read where they are, once to know their checksums and once to be copied. */
async function throughFolder(
  spool: BlobStore,
  source: BlobStore,
): Promise<{ readonly writer: Writer; read(manifest: Manifest): ArchiveReader }> {
  const kept = new Set<string>();
  for await (const { key } of spool.list('data/')) kept.add(key);
  const writer: Writer = {
    has: (key) => kept.has(key),
    async put(key, size, content) {
      let read = 0;
      if (key.startsWith(fileKey(''))) for await (const chunk of content) read += chunk.length;
      else {
        const put = await spool.put(key, content);
        if (!put.ok) return err({ message: `the rows cannot be kept meanwhile: ${blobErrorText(put.error)}` });
        read = put.value.size;
        kept.add(key);
      }
      return read === size ? ok(undefined) : err({ message: `${key} changed while it was read` });
    },
    finish: async () => ok({ place: 'a folder of temporary files' }),
    abandon: async () => {},
  };
  const read = (manifest: Manifest): ArchiveReader => ({
    manifest,
    async open(key) {
      const isFile = key.startsWith(fileKey(''));
      const opened = isFile ? await source.open(key.slice(fileKey('').length)) : await spool.open(key);
      return opened.ok
        ? ok(opened.value.stream)
        : err({ message: `${key} cannot be read: ${blobErrorText(opened.error)}` });
    },
    close: async () => {},
  });
  return { writer, read };
}

function tell(manifest: Manifest, notes: readonly string[], target: Place, parts: MoveCommandParts): void {
  const { database, files, missingFiles } = manifest;
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
  const moved = target.blobs === undefined ? `${files.length} files stay where they are` : `${files.length} files`;
  parts.out(`moved ${database.tables.length} tables with ${rows.toLocaleString('en')} rows, ${moved}\n`);
  if (target.blobs === undefined && target.isLocked !== true && files.length > 0)
    parts.err(
      'note: the old database and the new one refer to the same files: do not start a program on the old one\n',
    );
  for (const text of [...database.leftOut, ...notes]) parts.err(`note: ${text}\n`);
  for (const key of missingFiles)
    parts.err(`note: the file ${key} was missing; survest doctor says what refers to it\n`);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
