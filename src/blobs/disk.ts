// Blobs as files of a folder: keys in, bytes in and out. A file appears under its name only when it is complete and on the
// disk: it is written in `.partial`, and renamed.

import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { diskFault } from '../kernel/disk-fault.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import {
  type BlobError,
  type BlobInfo,
  type BlobRange,
  type BlobStore,
  isBlobKey,
  type OpenBlob,
  type PutOptions,
} from './blob-store.ts';

/** Begins with a dot, so no key can name anything in it. */
const PARTIAL = '.partial';
const STALE_MS = 24 * 60 * 60_000;

/** Makes the folder where it is missing, and clears away what writers left there that died more than a day ago. */
export async function openDiskStore(folder: string, now: () => number = Date.now): Promise<BlobStore> {
  const partial = join(folder, PARTIAL);
  await mkdir(partial, { recursive: true, mode: 0o700 });
  await clearStale(partial, now() - STALE_MS);
  return {
    put: (key, content, options = {}) => put(folder, key, content, options),
    open: (key, range) => openBlob(folder, key, range),
    remove: (key) => remove(folder, key),
    list: (prefix = '') => list(folder, prefix),
  };
}

async function put(
  folder: string,
  key: string,
  content: AsyncIterable<Uint8Array>,
  { maxBytes = Number.POSITIVE_INFINITY }: PutOptions,
): Promise<Result<{ readonly size: number }, BlobError>> {
  if (!isBlobKey(key)) return err({ kind: 'bad-key', key });
  const draft = join(folder, PARTIAL, randomUUID());
  let file: FileHandle | undefined;
  try {
    file = await open(draft, 'wx', 0o600);
    const size = await writeAll(file, content, maxBytes);
    if (size === undefined) return err({ kind: 'too-large', limit: maxBytes });
    await file.sync();
    await file.close();
    file = undefined;
    const path = join(folder, key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(draft, path);
    await syncFolder(dirname(path));
    return ok({ size });
  } catch (error) {
    return err(diskError(error));
  } finally {
    await file?.close();
    await rm(draft, { force: true });
  }
}

/** Undefined: longer than allowed. */
async function writeAll(
  file: FileHandle,
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<number | undefined> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    for (let written = 0; written < chunk.length; ) {
      written += (await file.write(chunk, written, chunk.length - written)).bytesWritten;
    }
  }
  return size;
}

/** A rename is only safe from a power cut once its folder is written. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function openBlob(
  folder: string,
  key: string,
  range: BlobRange | undefined,
): Promise<Result<OpenBlob, BlobError>> {
  if (!isBlobKey(key)) return err({ kind: 'bad-key', key });
  let file: FileHandle | undefined;
  try {
    // Opened before it is measured: a blob removed meanwhile is still read to its end.
    file = await open(join(folder, key), 'r');
    const found = await file.stat();
    if (!found.isFile()) return err({ kind: 'no-such-blob', key });
    const { size } = found;
    if (range !== undefined && (range.start < 0 || range.start >= size || (range.end ?? size) < range.start)) {
      return err({ kind: 'bad-range', size });
    }
    const stream = createReadStream('', {
      fd: file,
      start: range?.start ?? 0,
      ...(range?.end === undefined ? {} : { end: Math.min(range.end, size - 1) }),
    });
    file = undefined;
    return ok({ size, stream });
  } catch (error) {
    return err(isMissing(error) ? { kind: 'no-such-blob', key } : diskError(error));
  } finally {
    await file?.close();
  }
}

async function remove(folder: string, key: string): Promise<Result<void, BlobError>> {
  if (!isBlobKey(key)) return err({ kind: 'bad-key', key });
  try {
    await unlink(join(folder, key));
    return ok(undefined);
  } catch (error) {
    return isMissing(error) ? ok(undefined) : err(diskError(error));
  }
}

async function* list(folder: string, prefix: string): AsyncIterable<BlobInfo> {
  // The folder of a prefix that goes deep is looked at alone.
  const top = prefix.includes('/') ? prefix.slice(0, prefix.lastIndexOf('/')) : '';
  if (top !== '' && !isBlobKey(top)) return;
  for await (const path of filesBelow(join(folder, top))) {
    const key = relative(folder, path).split(sep).join('/');
    if (!key.startsWith(prefix) || !isBlobKey(key)) continue;
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() === true) yield { key, size: found.size, modifiedMs: found.mtimeMs };
  }
}

async function* filesBelow(folder: string): AsyncIterable<string> {
  const entries = await opendir(folder).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (entries === undefined) return;
  for await (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

async function clearStale(partial: string, before: number): Promise<void> {
  for await (const entry of await opendir(partial)) {
    const path = join(partial, entry.name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < before) await rm(path, { force: true, recursive: true });
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** What the disk said; anything else was not the disk, and goes on up. */
function diskError(error: unknown): BlobError {
  const fault = diskFault(error);
  if (fault !== undefined) return { kind: 'disk', fault };
  if (error instanceof Error && 'syscall' in error) return { kind: 'store', message: error.message };
  throw error;
}
