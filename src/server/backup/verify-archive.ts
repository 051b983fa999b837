// Checks a backup: every piece of rows and every file of its manifest is read, and its size and checksum compared.

import { createHash } from 'node:crypto';
import { createGunzip } from 'node:zlib';
import { err, ok, type Result } from '../../kernel/result.ts';
import { type ArchiveReader, chunkKey, type Failed, fileKey } from './archive.ts';
import type { TableRows } from './manifest.ts';

/** @param only absent: everything; else which keys are to be read */
export async function verifyArchive(
  archive: ArchiveReader,
  onRead: (bytes: number) => void,
  only?: ReadonlySet<string>,
): Promise<Result<void, Failed>> {
  const { database, files } = archive.manifest;
  const isWanted = (key: string): boolean => only === undefined || only.has(key);
  const seen = new Set<string>();
  for (const table of database.tables) {
    for (const { sha256, bytes } of table.chunks) {
      const key = chunkKey(sha256);
      if (seen.has(key) || !isWanted(key)) continue;
      seen.add(key);
      const read = await readTable(archive, { ...table, chunks: [{ sha256, bytes }] }, () => {});
      if (!read.ok) return read;
      onRead(bytes);
    }
  }
  for (const { key, size, sha256 } of files) {
    if (!isWanted(fileKey(key))) continue;
    const opened = await archive.open(fileKey(key));
    if (!opened.ok) return opened;
    const hash = createHash('sha256');
    let length = 0;
    try {
      for await (const chunk of opened.value as AsyncIterable<Buffer>) {
        hash.update(chunk);
        length += chunk.length;
        onRead(chunk.length);
      }
    } catch (cause) {
      return err({ message: `the file ${key} cannot be read: ${said(cause)}` });
    }
    if (length !== size || hash.digest('hex') !== sha256)
      return err({ message: `the file ${key} is not what it was when the backup was made` });
  }
  return ok(undefined);
}

/** The rows of a table, piece by piece, each checked before it is passed on. */
export async function readTable(
  archive: ArchiveReader,
  { schema, name, chunks }: Pick<TableRows, 'schema' | 'name' | 'chunks'>,
  onChunk: (bytes: Buffer) => Promise<void> | void,
): Promise<Result<void, Failed>> {
  for (const { sha256, bytes } of chunks) {
    const opened = await archive.open(chunkKey(sha256));
    if (!opened.ok) return opened;
    const parts: Buffer[] = [];
    let length = 0;
    try {
      for await (const part of opened.value.pipe(createGunzip()) as AsyncIterable<Buffer>) {
        length += part.length;
        // Whatever it was made to unpack to, no more than was said is held.
        if (length > bytes) break;
        parts.push(part);
      }
    } catch (cause) {
      return err({ message: `rows of ${schema}.${name} cannot be read: ${said(cause)}` });
    } finally {
      // What unpacks it leaves it open where it stops early.
      opened.value.destroy();
    }
    const whole = Buffer.concat(parts);
    if (length !== bytes || createHash('sha256').update(whole).digest('hex') !== sha256)
      return err({ message: `rows of ${schema}.${name} are not what they were when the backup was made` });
    await onChunk(whole);
  }
  return ok(undefined);
}

function said(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
