// The contract of the places a backup is written to and read from: a tar file, or a folder or bucket that keeps many backups and each
// object of them once. Objects have keys; what a key holds never changes.

import type { Readable } from 'node:stream';
import type { Result } from '../../kernel/result.ts';
import type { Manifest } from './manifest.ts';

export type Failed = { readonly message: string };

export type ArchiveWriter = {
  /** It is there already, from this backup or from an earlier one. */
  has(key: string): boolean;
  /** @param size of the content, which is known before */
  put(key: string, size: number, content: AsyncIterable<Uint8Array>): Promise<Result<void, Failed>>;
  /** Ends the backup: from here on it is one. Everything that was written has been read again by then. */
  finish(manifest: Manifest, onRead: (bytes: number) => void): Promise<Result<{ readonly place: string }, Failed>>;
  /** Takes away what this backup has written and nothing else refers to. */
  abandon(): Promise<void>;
};

export type ArchiveReader = {
  readonly manifest: Manifest;
  open(key: string): Promise<Result<Readable, Failed>>;
  close(): Promise<void>;
};

/** Rows, compressed. */
export function chunkKey(sha256: string): string {
  return `data/${sha256.slice(0, 2)}/${sha256}.gz`;
}

export function fileKey(key: string): string {
  return `files/${key}`;
}
