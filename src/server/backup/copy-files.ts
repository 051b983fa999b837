// Files into a backup and out of it: each with its size and checksum, and none copied that is there already.

import { createHash } from 'node:crypto';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { type ArchiveReader, type ArchiveWriter, type Failed, fileKey } from './archive.ts';
import type { FileEntry } from './manifest.ts';
import { blobErrorText } from './store-archive.ts';

export type OnFile = (progress: { readonly key: string; readonly share: number }) => void;

export type CopiedFiles = { readonly files: readonly FileEntry[]; readonly missing: readonly string[] };

type FileWriter = Pick<ArchiveWriter, 'has' | 'put'> & { known?(key: string): FileEntry | undefined };

export async function copyFilesInto(
  writer: FileWriter,
  blobs: BlobStore,
  keys: readonly string[],
  onFile: OnFile,
  signal: AbortSignal,
): Promise<Result<CopiedFiles, Failed>> {
  const files: FileEntry[] = [];
  const missing: string[] = [];
  for (const [i, key] of keys.entries()) {
    if (signal.aborted) return err({ message: 'stopped' });
    onFile({ key, share: i / keys.length });
    const known = writer.known?.(key);
    if (known !== undefined) {
      files.push(known);
      continue;
    }
    const opened = await blobs.open(key);
    if (!opened.ok) {
      if (opened.error.kind !== 'no-such-blob')
        return err({ message: `${key} cannot be read: ${blobErrorText(opened.error)}` });
      missing.push(key);
      continue;
    }
    const { size, stream } = opened.value;
    const hash = createHash('sha256');
    const put = await writer.put(fileKey(key), size, hashed(stream, hash, signal));
    stream.destroy();
    if (!put.ok) return put;
    files.push({ key, size, sha256: hash.digest('hex') });
  }
  return ok({ files, missing });
}

async function* hashed(
  stream: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    if (signal?.aborted === true) throw new Error('stopped');
    hash.update(chunk);
    yield chunk;
  }
}

/** Puts every file of the backup into a place that has none but those. Returns a way to take those away again that were put. */
export async function copyFilesFrom(
  archive: ArchiveReader,
  blobs: BlobStore,
  onFile: OnFile,
  signal: AbortSignal,
): Promise<Result<{ undo(): Promise<void> }, Failed>> {
  const { files } = archive.manifest;
  const wanted = new Map(files.map((file) => [file.key, file]));
  const there = new Set<string>();
  for await (const { key } of blobs.list()) {
    if (!wanted.has(key))
      return err({
        message: `the place for files is not empty (it has ${key}): a backup is put back into an empty one`,
      });
    there.add(key);
  }
  const put: string[] = [];
  const undo = async (): Promise<void> => {
    for (const key of put) await blobs.remove(key);
  };
  const fail = async (message: string): Promise<Result<never, Failed>> => {
    await undo();
    return err({ message });
  };
  for (const [i, file] of files.entries()) {
    if (signal.aborted) return fail('stopped');
    onFile({ key: file.key, share: i / files.length });
    // Left by a run that was cut off.
    if (there.has(file.key) && (await isSame(blobs, file))) continue;
    const opened = await archive.open(fileKey(file.key));
    if (!opened.ok) return fail(opened.error.message);
    const hash = createHash('sha256');
    put.push(file.key);
    const kept = await blobs.put(file.key, hashed(opened.value, hash, signal)).catch((cause: unknown) => {
      const message = cause instanceof Error ? cause.message : String(cause);
      return err({ kind: 'store', message } as const);
    });
    if (!kept.ok) return fail(`${file.key} cannot be written: ${blobErrorText(kept.error)}`);
    if (kept.value.size !== file.size || hash.digest('hex') !== file.sha256)
      return fail(`the file ${file.key} is not what it was when the backup was made`);
    if (!(await isSame(blobs, file))) return fail(`the file ${file.key} cannot be read again`);
  }
  return ok({ undo });
}

async function isSame(blobs: BlobStore, { key, size, sha256 }: FileEntry): Promise<boolean> {
  const opened = await blobs.open(key);
  if (!opened.ok) return false;
  const hash = createHash('sha256');
  for await (const chunk of opened.value.stream) hash.update(chunk as Buffer);
  return opened.value.size === size && hash.digest('hex') === sha256;
}
