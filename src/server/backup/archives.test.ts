// Backups as one tar file and as many in a store: what was written is read again and found right, and what is damaged is told.

import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { type ArchiveReader, type ArchiveWriter, chunkKey, type Failed, fileKey } from './archive.ts';
import { copyFilesFrom, copyFilesInto } from './copy-files.ts';
import type { Manifest } from './manifest.ts';
import { dropOldBackups, listBackups, openStoredBackup, writeStoredBackup } from './store-archive.ts';
import { openTarArchive, writeTarArchive } from './tar-archive.ts';
import { readTable, verifyArchive } from './verify-archive.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'survest-archives-'));
  path = join(folder, 'a.tar');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const never = new AbortController().signal;
const NOTHING = (): void => {};

const ROWS = Buffer.from('1\tone\n2\ttwo\n');
const FILE = Buffer.from('a letter');
const LONG = `documents/ab/${'x'.repeat(150)}`;

function manifestOf(files: readonly string[] = [LONG], rows: readonly Buffer[] = [ROWS]): Manifest {
  return {
    format: 'survest-backup',
    version: 1,
    program: '0.1.0',
    created: '2026-01-01T00:00:00Z',
    database: {
      engine: 'postgres',
      server: '15',
      postgis: '3',
      postgisSchema: 'public',
      migrations: [],
      tables: [
        {
          schema: 'portal',
          name: 'thing',
          columns: ['id', 'name'],
          rows: 2,
          sha256: sha256(Buffer.concat(rows)),
          chunks: rows.map((chunk) => ({ sha256: sha256(chunk), bytes: chunk.length })),
        },
      ],
      definitions: [],
      sequences: [],
      queues: [],
      leftOut: [],
    },
    files: files.map((key) => ({ key, size: FILE.length, sha256: sha256(FILE) })),
    state: {},
    missingFiles: [],
  };
}

const content = (bytes: Uint8Array) => Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]);
function made<T>(result: Result<T, Failed>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
async function write(
  writer: ArchiveWriter,
  manifest = manifestOf(),
): Promise<Result<{ readonly place: string }, Failed>> {
  const packed = gzipSync(ROWS);
  made(await writer.put(chunkKey(sha256(ROWS)), packed.length, content(packed)));
  for (const { key } of manifest.files) made(await writer.put(fileKey(key), FILE.length, content(FILE)));
  return writer.finish(manifest, NOTHING);
}
const text = async (archive: ArchiveReader, key: string): Promise<string> =>
  Buffer.concat(await made(await archive.open(key)).toArray()).toString();

/** A store in memory. */
function storeOf(): BlobStore & { readonly kept: Map<string, Buffer>; refuses: string | undefined } {
  const kept = new Map<string, Buffer>();
  const store = {
    kept,
    refuses: undefined as string | undefined,
    async put(key: string, parts: AsyncIterable<Uint8Array>) {
      const all: Uint8Array[] = [];
      for await (const part of parts) all.push(part);
      if (store.refuses !== undefined && key.startsWith(store.refuses))
        return err({ kind: 'store', message: 'full' } as const);
      kept.set(key, Buffer.concat(all));
      return ok({ size: Buffer.concat(all).length });
    },
    async open(key: string) {
      const bytes = kept.get(key);
      if (bytes === undefined) return err({ kind: 'no-such-blob', key } as const);
      return ok({ size: bytes.length, stream: Readable.from([bytes]) });
    },
    async remove(key: string) {
      kept.delete(key);
      return ok(undefined);
    },
    async *list(prefix = '') {
      for (const [key, bytes] of [...kept])
        if (key.startsWith(prefix)) yield { key, size: bytes.length, modifiedMs: 0 };
    },
  };
  return store;
}

test('a tar file has everything that was written, under names of any length, and nothing beside it is left', async () => {
  const writer = made(await writeTarArchive(path));
  expect(writer.has(fileKey(LONG))).toBe(false);
  expect(await write(writer)).toEqual(ok({ place: path }));
  expect(writer.has(fileKey(LONG))).toBe(true);
  // What is done cannot be abandoned any more.
  await writer.abandon();
  expect(readdirSync(folder)).toEqual(['a.tar']);
  const archive = made(await openTarArchive(path));
  expect(archive.manifest).toEqual(manifestOf());
  expect(await text(archive, fileKey(LONG))).toBe('a letter');
  expect(await archive.open('files/other')).toEqual(err({ message: `files/other is missing in "${path}"` }));
  expect(await writeTarArchive(path)).toMatchObject({
    error: { message: expect.stringContaining('is there already') },
  });
});

test('an empty file is kept as one', async () => {
  const writer = made(await writeTarArchive(path));
  made(await writer.put('files/empty', 0, Readable.from([])));
  made(await write(writer));
  expect(await text(made(await openTarArchive(path)), 'files/empty')).toBe('');
});

test('what becomes longer or shorter while it is read is no backup, and an abandoned one leaves nothing', async () => {
  const writer = made(await writeTarArchive(path));
  expect(await writer.put('files/a', 2, content(FILE))).toEqual(
    err({ message: 'files/a became longer while it was read' }),
  );
  expect(await writer.put('files/b', 20, content(FILE))).toEqual(
    err({ message: 'files/b is shorter than it was said to be' }),
  );
  expect([writer.has('files/a'), readdirSync(folder).length]).toEqual([false, 1]);
  await writer.abandon();
  expect(readdirSync(folder)).toEqual([]);
});

test('a tar file is not what its manifest says: it does not become a backup', async () => {
  const writer = made(await writeTarArchive(path));
  const other = { ...manifestOf(), files: [{ key: LONG, size: FILE.length, sha256: sha256('another letter') }] };
  expect(await write(writer, other)).toMatchObject({
    error: { message: expect.stringMatching(/cannot be read again: the file .* is not what it was/) },
  });
  expect(readdirSync(folder)).not.toContain('a.tar');
});

test('what is no backup, or not all of one, is told as what it is', async () => {
  made(await write(made(await writeTarArchive(path))));
  const whole = readFileSync(path);
  const said = async (bytes: Uint8Array): Promise<string> => {
    writeFileSync(path, bytes);
    const opened = await openTarArchive(path);
    return opened.ok ? 'opened' : opened.error.message.replace(path, 'x');
  };
  expect(await said(Buffer.of())).toBe('"x" is empty');
  expect(await said(whole.subarray(0, 300))).toBe('"x" is not complete: it ends in the midst');
  expect(await said(whole.subarray(0, whole.length - 1500))).toBe('"x" is not complete: it ends in the midst');
  expect(await said(Buffer.alloc(2048, 'x'))).toBe('"x" is not a backup of Survest, or damaged at byte 0');
  expect(await said(Buffer.alloc(1024))).toBe('"x" is not a backup of Survest, or not complete: it has no manifest');
  expect(await said(whole)).toBe('opened');
  rmSync(path);
  expect(await openTarArchive(path)).toMatchObject({ error: { message: expect.stringContaining('cannot be read') } });
});

test('everything is read and compared, each piece once, or only what is named', async () => {
  made(await write(made(await writeTarArchive(path))));
  const archive = made(await openTarArchive(path));
  const read: number[] = [];
  expect(await verifyArchive(archive, (bytes) => read.push(bytes))).toEqual(ok(undefined));
  expect(read).toEqual([ROWS.length, FILE.length]);
  // The same rows stand in two tables.
  const [table] = archive.manifest.database.tables;
  const twice = { ...archive.manifest, database: { ...archive.manifest.database, tables: [table, table] } } as Manifest;
  read.length = 0;
  await verifyArchive({ ...archive, manifest: twice }, (bytes) => read.push(bytes));
  expect(read).toEqual([ROWS.length, FILE.length]);
  read.length = 0;
  await verifyArchive(archive, (bytes) => read.push(bytes), new Set([fileKey(LONG)]));
  expect(read).toEqual([FILE.length]);
});

test.each<[string, Buffer, RegExp]>([
  ['others', gzipSync('1\tone\n2\tTWO\n'), /rows of portal.thing are not what they were/],
  ['more', gzipSync(Buffer.concat([ROWS, ROWS])), /are not what they were/],
  ['fewer', gzipSync('1\tone\n'), /are not what they were/],
  ['no longer packed', ROWS, /rows of portal.thing cannot be read/],
])('rows that are %s are not passed on', async (_, packed, message) => {
  const passed: Buffer[] = [];
  const archive = { manifest: manifestOf(), open: async () => ok(Readable.from([packed])), close: async () => {} };
  const [table] = archive.manifest.database.tables;
  if (table === undefined) throw new Error('no table');
  expect(await readTable(archive, table, (bytes) => void passed.push(bytes))).toMatchObject({
    error: { message: expect.stringMatching(message) },
  });
  expect(passed).toEqual([]);
  const gone = { ...archive, open: async () => err({ message: 'gone' }) };
  expect(await readTable(gone, table, NOTHING)).toEqual(err({ message: 'gone' }));
  const right = { ...archive, open: async () => ok(Readable.from([gzipSync(ROWS)])) };
  expect(await readTable(right, table, (bytes) => void passed.push(bytes))).toEqual(ok(undefined));
  expect(passed).toEqual([ROWS]);
});

test('files go into a backup with size and checksum; one that is gone is named, one that is known is not copied', async () => {
  const blobs = storeOf();
  blobs.kept.set('documents/a', FILE).set('documents/b', FILE);
  const writer = made(await writeTarArchive(path));
  const known = { key: 'documents/b', size: 1, sha256: 'known' };
  const shares: number[] = [];
  const copied = await copyFilesInto(
    { ...writer, known: (key) => (key === known.key ? known : undefined) },
    blobs,
    ['documents/a', 'documents/b', 'documents/gone', 'documents/a'],
    ({ share }) => shares.push(share),
    never,
  );
  expect(copied).toEqual(
    ok({
      files: [
        { key: 'documents/a', size: FILE.length, sha256: sha256(FILE) },
        known,
        { key: 'documents/a', size: FILE.length, sha256: sha256(FILE) },
      ],
      missing: ['documents/gone'],
    }),
  );
  expect([shares, writer.has('files/documents/a'), writer.has('files/documents/b')]).toEqual([
    [0, 0.25, 0.5, 0.75],
    true,
    false,
  ]);
  expect(await copyFilesInto(writer, blobs, ['documents/a'], NOTHING, AbortSignal.abort())).toEqual(
    err({ message: 'stopped' }),
  );
  const full = { has: () => false, put: async () => err({ message: 'full' }) };
  expect(await copyFilesInto(full, blobs, ['documents/a'], NOTHING, never)).toEqual(err({ message: 'full' }));
  const broken = { ...blobs, open: async () => err({ kind: 'store', message: 'EIO' } as const) };
  expect(await copyFilesInto(writer, broken, ['documents/a'], NOTHING, never)).toEqual(
    err({ message: 'documents/a cannot be read: EIO' }),
  );
  await writer.abandon();
});

test('files are put back into an empty place alone, and taken away again where one is not what it was', async () => {
  const keys = ['documents/a', 'documents/b'];
  const manifest = manifestOf(keys);
  const archiveOf = (second: string): ArchiveReader => ({
    manifest,
    open: async (key) => ok(Readable.from([key.endsWith('a') ? FILE : Buffer.from(second)])),
    close: async () => {},
  });
  const blobs = storeOf();
  expect(await copyFilesFrom(archiveOf('another!'), blobs, NOTHING, never)).toEqual(
    err({ message: 'the file documents/b is not what it was when the backup was made' }),
  );
  expect([...blobs.kept.keys()]).toEqual([]);
  blobs.refuses = 'documents/b';
  expect(await copyFilesFrom(archiveOf('a letter'), blobs, NOTHING, never)).toEqual(
    err({ message: 'documents/b cannot be written: full' }),
  );
  expect([...blobs.kept.keys()]).toEqual([]);
  blobs.refuses = undefined;
  // What is written is read again: a store that loses it is found out.
  const forgetful = { ...storeOf(), open: async (key: string) => err({ kind: 'no-such-blob', key } as const) };
  expect(await copyFilesFrom(archiveOf('a letter'), forgetful, NOTHING, never)).toEqual(
    err({ message: 'the file documents/a cannot be read again' }),
  );
  const done = made(await copyFilesFrom(archiveOf('a letter'), blobs, NOTHING, never));
  expect([...blobs.kept.keys()]).toEqual(keys);
  // A run that was cut off has left some: they are not written again, and stay where this one is undone.
  const left = storeOf();
  left.kept.set('documents/a', FILE).set('documents/b', Buffer.from('a le'));
  await made(await copyFilesFrom(archiveOf('a letter'), left, NOTHING, never)).undo();
  expect([...left.kept.keys()]).toEqual(['documents/a']);
  await done.undo();
  expect(blobs.kept.size).toBe(0);
  blobs.kept.set('documents/other', FILE);
  expect(await copyFilesFrom(archiveOf('a letter'), blobs, NOTHING, never)).toMatchObject({
    error: { message: expect.stringContaining('it has documents/other') },
  });
  expect(await copyFilesFrom(archiveOf('a letter'), storeOf(), NOTHING, AbortSignal.abort())).toEqual(
    err({ message: 'stopped' }),
  );
});

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 10, 0, second, 250));

test('a store keeps many backups, each object once, and the newest is the one that is meant', async () => {
  const store = storeOf();
  const begin = (second: number) => writeStoredBackup({ store, place: 'here', now: at(second) });
  expect(await openStoredBackup(store, 'here')).toEqual(err({ message: 'there is no backup in here' }));
  expect(await write(made(await begin(1)))).toEqual(ok({ place: 'here (2026-01-01T10-00-01Z)' }));
  expect(await begin(1)).toMatchObject({ error: { message: expect.stringContaining('already') } });
  const second = made(await begin(2));
  expect([second.has(fileKey(LONG)), second.has('files/x'), second.known(LONG)]).toEqual([
    true,
    false,
    { key: LONG, size: FILE.length, sha256: sha256(FILE) },
  ]);
  made(await second.finish({ ...manifestOf(), program: '0.2.0' }, NOTHING));
  expect((await listBackups(store)).map(({ name }) => name)).toEqual(['2026-01-01T10-00-01Z', '2026-01-01T10-00-02Z']);
  expect(made(await openStoredBackup(store, 'here')).manifest.program).toBe('0.2.0');
  const first = made(await openStoredBackup(store, 'here', '2026-01-01T10-00-01Z'));
  expect([first.manifest.program, await text(first, fileKey(LONG))]).toEqual(['0.1.0', 'a letter']);
  expect(await first.open('files/x')).toEqual(err({ message: 'files/x cannot be read: it is not there' }));
  expect(await openStoredBackup(store, 'here', 'x')).toEqual(
    err({ message: 'there is no backup x in here; there are 2026-01-01T10-00-01Z, 2026-01-01T10-00-02Z' }),
  );
});

test('an abandoned backup takes away what it has written, and nothing of others', async () => {
  const store = storeOf();
  made(await write(made(await writeStoredBackup({ store, place: 'here', now: at(1) }))));
  const before = [...store.kept.keys()];
  const writer = made(await writeStoredBackup({ store, place: 'here', now: at(2) }));
  made(await writer.put('files/new', FILE.length, content(FILE)));
  expect(await writer.put('files/newer', 3, content(FILE))).toEqual(
    err({ message: 'files/newer changed while it was read' }),
  );
  await writer.abandon();
  expect([...store.kept.keys()]).toEqual(before);
  store.refuses = 'backups/';
  expect(await write(made(await writeStoredBackup({ store, place: 'here', now: at(3) })))).toEqual(
    err({ message: 'here cannot be written: full' }),
  );
});

test('old backups go, with what none that stays needs', async () => {
  const store = storeOf();
  for (const [second, key] of [
    [1, 'documents/old'],
    [2, 'documents/both'],
    [3, 'documents/both'],
  ] as const)
    made(await write(made(await writeStoredBackup({ store, place: 'here', now: at(second) })), manifestOf([key])));
  expect(await dropOldBackups(store, 'here', 3)).toEqual(ok([]));
  expect(await dropOldBackups(store, 'here', 2)).toEqual(ok(['2026-01-01T10-00-01Z']));
  expect([...store.kept.keys()].toSorted()).toEqual([
    'backups/2026-01-01T10-00-02Z.json',
    'backups/2026-01-01T10-00-03Z.json',
    chunkKey(sha256(ROWS)),
    'files/documents/both',
  ]);
  // What cannot be read may need anything.
  store.kept.set('backups/2026-01-01T10-00-03Z.json', Buffer.from('{'));
  expect(await dropOldBackups(store, 'here', 1)).toMatchObject({ ok: false });
  expect(store.kept.size).toBe(4);
});
