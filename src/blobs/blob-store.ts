// The contract of the places that keep files: uploads, documents, thumbnails, rasters. A blob is written once, whole, under
// a key, and never changed; new content gets a new key. `disk.ts` fills it with a folder; an object store can do it as well.

import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { DiskFault } from '../kernel/disk-fault.ts';
import type { Result } from '../kernel/result.ts';
import type { DbError } from '../pg/driver.ts';

export type BlobError =
  | { readonly kind: 'no-such-blob'; readonly key: string }
  /** Not made by `makeBlobKey`, and not like one. */
  | { readonly kind: 'bad-key'; readonly key: string }
  /** The content was longer than `maxBytes`; nothing was kept of it. */
  | { readonly kind: 'too-large'; readonly limit: number }
  /** The disk takes no file now. */
  | { readonly kind: 'disk'; readonly fault: DiskFault }
  /** The range begins behind the end. */
  | { readonly kind: 'bad-range'; readonly size: number }
  /** The database could not note the key; nothing was written. */
  | { readonly kind: 'not-noted'; readonly error: DbError }
  /** Disk or network; for the log, not for clients. */
  | { readonly kind: 'store'; readonly message: string };

export type PutOptions = { readonly maxBytes?: number };

/** Bytes `start` to `end`, both included; without `end` to the last one. */
export type BlobRange = { readonly start: number; readonly end?: number };

export type OpenBlob = {
  /** Of the whole blob, whatever range was asked for. */
  readonly size: number;
  readonly stream: Readable;
};

export type BlobInfo = { readonly key: string; readonly size: number; readonly modifiedMs: number };

export type BlobStore = {
  /**
   * Keeps the content, all of it or nothing. An exception of `content` (the client went away) comes out as it is, and nothing
   * is left behind either.
   */
  put(
    key: string,
    content: AsyncIterable<Uint8Array>,
    options?: PutOptions,
  ): Promise<Result<{ readonly size: number }, BlobError>>;
  open(key: string, range?: BlobRange): Promise<Result<OpenBlob, BlobError>>;
  /** A blob that is not there is as good as removed. */
  remove(key: string): Promise<Result<void, BlobError>>;
  /** Every blob whose key begins so, in no order; what has disappeared meanwhile may be missing. */
  list(prefix?: string): AsyncIterable<BlobInfo>;
};

/** What a blob is for, and the first part of its key. */
export type BlobKind = 'documents' | 'uploads' | 'thumbnails' | 'rasters' | 'basemaps';

/** A key nobody has or guesses: `documents/3f/3f0c1a…`. */
export function makeBlobKey(kind: BlobKind): string {
  const name = randomUUID();
  return `${kind}/${name.slice(0, 2)}/${name}`;
}

const MAX_KEY_LENGTH = 512;

/** Letters, digits, `.`, `_` and `-` in parts that begin with a letter or digit: a path that stays inside its folder. */
export function isBlobKey(key: string): boolean {
  return key.length <= MAX_KEY_LENGTH && /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/.test(key);
}
