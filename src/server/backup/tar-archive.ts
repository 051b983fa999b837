// A backup as one tar file, written as it comes. It has another name until it is whole, has been read again from the disk and every checksum
// has been found right; then it is renamed.

import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { DISK_FAULTS, diskFault } from '../../kernel/disk-fault.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { ArchiveReader, ArchiveWriter, Failed } from './archive.ts';
import type { Manifest } from './manifest.ts';
import { parseManifest } from './parse-manifest.ts';
import { BLOCK, padding, paxPath, readHeader, TAR_END, tarHeader } from './tar-format.ts';
import { verifyArchive } from './verify-archive.ts';

const MANIFEST = 'manifest.json';

export async function writeTarArchive(path: string): Promise<Result<ArchiveWriter, Failed>> {
  const target = resolve(path);
  if ((await stat(target).catch(() => undefined)) !== undefined)
    return err({ message: `"${path}" is there already: choose another name, or move it away` });
  const draft = `${target}.${randomUUID().slice(0, 8)}.partial`;
  let file: FileHandle;
  try {
    file = await open(draft, 'wx', 0o600);
  } catch (cause) {
    return err({ message: `"${path}" cannot be written: ${said(cause)}` });
  }
  const keys = new Set<string>();
  const began = Date.now() / 1000;
  let at = 0;
  const append = async (bytes: Uint8Array): Promise<void> => {
    for (let written = 0; written < bytes.length; )
      written += (await file.write(bytes, written, bytes.length - written)).bytesWritten;
    at += bytes.length;
  };
  async function put(key: string, size: number, content: AsyncIterable<Uint8Array>): Promise<Result<void, Failed>> {
    try {
      await append(tarHeader(key, size, began));
      const start = at;
      for await (const chunk of content) {
        if (at - start + chunk.length > size) return err({ message: `${key} became longer while it was read` });
        await append(chunk);
      }
      if (at - start < size) return err({ message: `${key} is shorter than it was said to be` });
      await append(padding(size));
      keys.add(key);
      return ok(undefined);
    } catch (cause) {
      return err({ message: `"${path}" cannot be written: ${said(cause)}` });
    }
  }
  return ok({
    has: (key) => keys.has(key),
    put,
    async finish(manifest, onRead) {
      const text = Buffer.from(`${JSON.stringify(manifest)}\n`);
      const put_ = await put(MANIFEST, text.length, Readable.from([text]));
      if (!put_.ok) return put_;
      try {
        await append(TAR_END);
        await file.sync();
        await file.close();
        const written = await openTarArchive(draft);
        if (!written.ok) return written;
        const verified = await verifyArchive(written.value, onRead);
        await written.value.close();
        if (!verified.ok) return err({ message: `what was written cannot be read again: ${verified.error.message}` });
        await rename(draft, target);
        const folder = await open(dirname(target), 'r');
        await folder.sync().finally(() => folder.close());
        return ok({ place: target });
      } catch (cause) {
        return err({ message: `"${path}" cannot be written: ${said(cause)}` });
      }
    },
    async abandon() {
      await file.close().catch(() => {});
      await rm(draft, { force: true });
    },
  });
}

type Entry = { readonly start: number; readonly size: number };

/** Reads where everything is, and the manifest; contents are read when they are asked for. */
export async function openTarArchive(path: string): Promise<Result<ArchiveReader, Failed>> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (cause) {
    return err({ message: `"${path}" cannot be read: ${said(cause)}` });
  }
  const found = await indexOf(file, path)
    .catch((cause: unknown): Result<never, Failed> => err({ message: `"${path}" cannot be read: ${said(cause)}` }))
    // Contents are opened one by one.
    .finally(() => file.close());
  if (!found.ok) return found;
  const { entries, manifest } = found.value;
  return ok({
    manifest,
    async open(key) {
      const entry = entries.get(key);
      if (entry === undefined) return err({ message: `${key} is missing in "${path}"` });
      if (entry.size === 0) return ok(Readable.from([]));
      return ok(createReadStream(path, { start: entry.start, end: entry.start + entry.size - 1 }));
    },
    close: async () => {},
  });
}

async function indexOf(
  file: FileHandle,
  path: string,
): Promise<Result<{ readonly entries: ReadonlyMap<string, Entry>; readonly manifest: Manifest }, Failed>> {
  const entries = new Map<string, Entry>();
  const header = Buffer.alloc(BLOCK);
  let longName: string | undefined;
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(header, 0, BLOCK, at);
    if (bytesRead === 0 && at === 0) return err({ message: `"${path}" is empty` });
    if (bytesRead < BLOCK) return err({ message: `"${path}" is not complete: it ends in the midst` });
    const read = readHeader(header);
    if (!read.ok) return err({ message: `"${path}" is not a backup of Survest, or damaged at byte ${at}` });
    if (read.value === undefined) break;
    const { name, size, kind } = read.value;
    const start = at + BLOCK;
    if (kind === 'pax') {
      if (size > MAX_PAX_BYTES) return err({ message: `"${path}" is damaged at byte ${at}` });
      const content = Buffer.alloc(size);
      await file.read(content, 0, size, start);
      longName = paxPath(content);
    } else {
      entries.set(longName ?? name, { start, size });
      longName = undefined;
    }
    at = start + size + padding(size).length;
  }
  const last = entries.get(MANIFEST);
  if (last === undefined)
    return err({ message: `"${path}" is not a backup of Survest, or not complete: it has no manifest` });
  const text = Buffer.alloc(last.size);
  for (let read = 0; read < text.length; ) {
    const { bytesRead } = await file.read(text, read, Math.min(text.length - read, 1 << 30), last.start + read);
    if (bytesRead === 0) return err({ message: `"${path}" is not complete: it ends in the midst` });
    read += bytesRead;
  }
  const manifest = parseManifest(text.toString(), `"${path}"`);
  return manifest.ok ? ok({ entries, manifest: manifest.value }) : manifest;
}

const MAX_PAX_BYTES = 64 * 1024;

function said(cause: unknown): string {
  const fault = diskFault(cause);
  if (fault !== undefined) return DISK_FAULTS[fault];
  return cause instanceof Error ? cause.message : String(cause);
}
