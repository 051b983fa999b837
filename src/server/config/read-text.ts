// Reads the files that settings name. The one place where loading settings touches a disk.

import { open } from 'node:fs/promises';
import type { ReadFailure, ReadText } from '../../kernel/options/read-text.ts';
import { err, ok } from '../../kernel/result.ts';

const LARGEST = 1_000_000; // bytes; a device that never ends must not fill the memory

const FAILURES: Readonly<Record<string, ReadFailure>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  EACCES: 'denied',
  EPERM: 'denied',
  EISDIR: 'directory',
};

export const readTextFile: ReadText = async (path) => {
  try {
    const file = await open(path, 'r');
    try {
      const chunks: Buffer[] = [];
      let size = 0;
      for (;;) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(65_536));
        if (bytesRead === 0) break;
        size += bytesRead;
        if (size > LARGEST) return err('too-large');
        chunks.push(buffer.subarray(0, bytesRead));
      }
      return decode(Buffer.concat(chunks));
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return err(FAILURES[code] ?? 'failed');
  }
};

/** A byte order mark is dropped by the decoder. */
function decode(bytes: Buffer): ReturnType<typeof ok<string>> | ReturnType<typeof err<ReadFailure>> {
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return err('not-utf8');
  }
}
