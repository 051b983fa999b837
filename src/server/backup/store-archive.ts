// Backups in a folder or a bucket, one after the other: rows and files that an earlier backup has kept are not written again. Each backup is
// a manifest (`backups/…json`) that names its objects; what no manifest names any more is taken away with the backup that was the last to.

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobError, BlobStore } from '../../blobs/blob-store.ts';
import { DISK_FAULTS } from '../../kernel/disk-fault.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { type ArchiveReader, type ArchiveWriter, chunkKey, type Failed, fileKey } from './archive.ts';
import type { FileEntry, Manifest } from './manifest.ts';
import { parseManifest } from './parse-manifest.ts';
import { verifyArchive } from './verify-archive.ts';

export type StoredBackup = { readonly name: string; readonly bytes: number };

const BACKUPS = 'backups/';

/** Their names are times, so the order is that of age: the oldest first. */
export async function listBackups(store: BlobStore): Promise<readonly StoredBackup[]> {
  const found: StoredBackup[] = [];
  for await (const { key, size } of store.list(BACKUPS)) {
    const name = /^backups\/([0-9TZ-]+)\.json$/.exec(key)?.[1];
    if (name !== undefined) found.push({ name, bytes: size });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** @param name absent: the newest */
export async function openStoredBackup(
  store: BlobStore,
  place: string,
  name?: string,
): Promise<Result<ArchiveReader, Failed>> {
  const wanted = name ?? (await listBackups(store)).at(-1)?.name;
  if (wanted === undefined) return err({ message: `there is no backup in ${place}` });
  const text = await readWhole(store, `${BACKUPS}${wanted}.json`);
  if (!text.ok) {
    const names = (await listBackups(store)).map((backup) => backup.name).join(', ');
    return err({ message: `there is no backup ${wanted} in ${place}${names === '' ? '' : `; there are ${names}`}` });
  }
  const manifest = parseManifest(text.value.toString(), `${place} (${wanted})`);
  if (!manifest.ok) return manifest;
  return ok({ manifest: manifest.value, open: (key) => openObject(store, key), close: async () => {} });
}

export type StoreOptions = {
  readonly store: BlobStore;
  readonly place: string;
  readonly now: Date;
};

export async function writeStoredBackup({
  store,
  place,
  now,
}: StoreOptions): Promise<Result<ArchiveWriter & { known(key: string): FileEntry | undefined }, Failed>> {
  const name = now.toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
  const there = new Set<string>();
  const written = new Set<string>();
  const known = new Map<string, FileEntry>();
  try {
    const earlier = await listBackups(store);
    if (earlier.some((backup) => backup.name === name))
      return err({ message: `there is a backup ${name} in ${place} already; try again in a second` });
    for await (const { key } of store.list('data/')) there.add(key);
    for await (const { key } of store.list('files/')) there.add(key);
    const last = earlier.at(-1);
    if (last !== undefined) {
      const opened = await openStoredBackup(store, place, last.name);
      if (opened.ok) for (const file of opened.value.manifest.files) known.set(file.key, file);
    }
  } catch (cause) {
    return err({ message: `${place} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}` });
  }
  const key = `${BACKUPS}${name}.json`;
  return ok({
    has: (wanted) => there.has(wanted),
    /** With its checksum, where an earlier backup has it. */
    known: (wanted) => (there.has(fileKey(wanted)) ? known.get(wanted) : undefined),
    async put(wanted, size, content) {
      const put = await store.put(wanted, content);
      if (!put.ok) return err({ message: `${place} cannot be written: ${blobErrorText(put.error)}` });
      written.add(wanted);
      there.add(wanted);
      return put.value.size === size ? ok(undefined) : err({ message: `${wanted} changed while it was read` });
    },
    async finish(manifest, onRead) {
      const reader: ArchiveReader = { manifest, open: (wanted) => openObject(store, wanted), close: async () => {} };
      const verified = await verifyArchive(reader, onRead, written);
      if (!verified.ok) return err({ message: `what was written cannot be read again: ${verified.error.message}` });
      const text = Buffer.from(`${JSON.stringify(manifest)}\n`);
      const put = await store.put(key, Readable.from([text]));
      if (!put.ok) return err({ message: `${place} cannot be written: ${blobErrorText(put.error)}` });
      const again = await readWhole(store, key);
      if (!again.ok || digest(again.value) !== digest(text)) {
        await store.remove(key);
        return err({ message: 'the manifest that was written cannot be read again' });
      }
      return ok({ place: `${place} (${name})` });
    },
    async abandon() {
      for (const wanted of written) await store.remove(wanted);
    },
  });
}

/** All but the newest `keep` are taken away, with the objects that none of those that stay needs. Returns the names of those that went. */
export async function dropOldBackups(
  store: BlobStore,
  place: string,
  keep: number,
): Promise<Result<readonly string[], Failed>> {
  const all = await listBackups(store);
  const old = all.slice(0, Math.max(0, all.length - keep));
  if (old.length === 0) return ok([]);
  const needed = new Set<string>();
  for (const { name } of all.slice(old.length)) {
    const opened = await openStoredBackup(store, place, name);
    // What cannot be read may need anything.
    if (!opened.ok) return opened;
    for (const key of keysOf(opened.value.manifest)) needed.add(key);
  }
  for (const { name } of old) {
    const removed = await store.remove(`${BACKUPS}${name}.json`);
    if (!removed.ok) return err({ message: `${name} cannot be removed: ${blobErrorText(removed.error)}` });
  }
  for (const prefix of ['data/', 'files/']) {
    for await (const { key } of store.list(prefix)) if (!needed.has(key)) await store.remove(key);
  }
  return ok(old.map(({ name }) => name));
}

function* keysOf({ database, files }: Manifest): Iterable<string> {
  for (const { chunks } of database.tables) for (const { sha256 } of chunks) yield chunkKey(sha256);
  for (const { key } of files) yield fileKey(key);
}

async function openObject(store: BlobStore, key: string): Promise<Result<Readable, Failed>> {
  const opened = await store.open(key);
  if (opened.ok) return ok(opened.value.stream);
  return err({ message: `${key} cannot be read: ${blobErrorText(opened.error)}` });
}

async function readWhole(store: BlobStore, key: string): Promise<Result<Buffer, Failed>> {
  const opened = await openObject(store, key);
  if (!opened.ok) return opened;
  const parts: Buffer[] = [];
  for await (const part of opened.value as AsyncIterable<Buffer>) parts.push(part);
  return ok(Buffer.concat(parts));
}

export function blobErrorText(error: BlobError): string {
  switch (error.kind) {
    case 'no-such-blob':
      return 'it is not there';
    case 'disk':
      return DISK_FAULTS[error.fault];
    case 'store':
      return error.message;
    default:
      return error.kind;
  }
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
