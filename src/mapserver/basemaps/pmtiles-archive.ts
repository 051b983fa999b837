// An open PMTiles archive: reads the ranges in which a tile is, from the disk, from the place that keeps files, or from another server. Directories
// are kept, up to a bound.

import { open, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import type { BlobStore } from '../../blobs/blob-store.ts';
import type { RemoteFetch } from '../../http/outbound/remote-fetch.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { ArchivePlace } from '../../layer-ports/basemap.ts';
import {
  type ArchiveHeader,
  type Compression,
  type Directory,
  findEntry,
  HEADER_BYTES,
  parseDirectory,
  parseHeader,
  type Range,
  tileNumber,
} from './pmtiles-format.ts';

export type Archive = {
  readonly header: ArchiveHeader;
  /** Names of its vector layers. */
  readonly layers: readonly string[];
  /** As it is stored; undefined: there is none. */
  tile(z: number, x: number, y: number): Promise<Result<Buffer | undefined, string>>;
};

export type ArchiveShelf = {
  /** What is wrong with it is told for the log, without its place. */
  get(id: string, place: ArchivePlace): Promise<Result<Archive, string>>;
};

const MAX_ARCHIVES = 100;
const MAX_DIRECTORIES = 64;
/** Of a directory, the metadata or a tile: writers stay far below. */
const MAX_UNPACKED = 32 * 1024 * 1024;
/** A directory in a directory in a directory: no writer goes deeper. */
const MAX_DEPTH = 4;
/** How long an archive that is not on the disk is taken for the same. */
const SAME_MS = 10 * 60 * 1000;

export type ArchiveShelfParts = {
  readonly blobs: BlobStore;
  /** Its allow-list has the hosts of archives elsewhere. */
  readonly fetch: RemoteFetch;
  readonly now: () => number;
};

export function makeArchiveShelf({ blobs, fetch, now }: ArchiveShelfParts): ArchiveShelf {
  const opened = new Map<string, { readonly state: string; readonly archive: Promise<Result<Archive, string>> }>();
  return {
    async get(id, place) {
      const state = await stateOf(place, now);
      const known = opened.get(id);
      if (known !== undefined && known.state === state) return known.archive;
      const archive = openArchive(readerOf(place, blobs, fetch));
      if (opened.size >= MAX_ARCHIVES) opened.clear();
      opened.set(id, { state, archive });
      const made = await archive;
      if (!made.ok) opened.delete(id);
      return made;
    },
  };
}

/** A file that was replaced is another one. */
async function stateOf(place: ArchivePlace, now: () => number): Promise<string> {
  if (place.kind !== 'disk') return `${place.kind === 'blob' ? place.key : place.url} ${Math.floor(now() / SAME_MS)}`;
  try {
    const { size, mtimeMs, ino } = await stat(place.path);
    return `${place.path} ${size} ${mtimeMs} ${ino}`;
  } catch {
    return 'away';
  }
}

type ReadRange = (range: Range) => Promise<Result<Buffer, string>>;

function readerOf(place: ArchivePlace, blobs: BlobStore, fetch: RemoteFetch): ReadRange {
  switch (place.kind) {
    case 'disk':
      return fromDisk(place.path);
    case 'blob':
      return fromBlobs(blobs, place.key);
    case 'web':
      return fromWeb(fetch, place.url);
  }
}

function fromDisk(path: string): ReadRange {
  return async ({ offset, length }) => {
    try {
      const file = await open(path, 'r');
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
        return ok(buffer.subarray(0, bytesRead));
      } finally {
        await file.close();
      }
    } catch (error) {
      return err(`cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
    }
  };
}

function fromBlobs(blobs: BlobStore, key: string): ReadRange {
  return async ({ offset, length }) => {
    const found = await blobs.open(key, { start: offset, end: offset + length - 1 });
    if (!found.ok) return err(`cannot be read (${found.error.kind})`);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of found.value.stream) chunks.push(chunk as Buffer);
    } catch {
      return err('cannot be read (the store broke off)');
    }
    return ok(Buffer.concat(chunks));
  };
}

const WEB_MS = 8000;

function fromWeb(fetch: RemoteFetch, url: string): ReadRange {
  return async ({ offset, length }) => {
    const range = { start: offset, end: offset + length - 1 };
    const asked = await fetch(url, { accept: '*/*', maxBytes: length, timeoutMs: WEB_MS, range });
    if (!asked.ok && asked.error.kind === 'too-large') return err('stands on a server that answers no ranges');
    if (!asked.ok) return err(`cannot be read (${asked.error.kind})`);
    return asked.value.status === 206 ? ok(asked.value.body) : err(`cannot be read (status ${asked.value.status})`);
  };
}

/** What is wrong with a file that was stored just now; undefined: tiles can be read of it. */
export async function archiveFault(blobs: BlobStore, key: string, size: number): Promise<string | undefined> {
  if (size < HEADER_BYTES) return 'is not a PMTiles archive';
  const opened = await openArchive(fromBlobs(blobs, key));
  if (!opened.ok) return opened.error;
  const { leaves, tiles } = opened.value.header;
  return [leaves, tiles].some(({ offset, length }) => offset + length > size) ? 'is cut off' : undefined;
}

const inflaters = { gzip: promisify(gunzip), brotli: promisify(brotliDecompress) } as const;

export async function unpacked(bytes: Buffer, compression: Compression): Promise<Result<Buffer, string>> {
  if (compression === 'none') return ok(bytes);
  try {
    return ok(await inflaters[compression](bytes, { maxOutputLength: MAX_UNPACKED }));
  } catch {
    return err('has a part that cannot be unpacked');
  }
}

async function openArchive(read: ReadRange): Promise<Result<Archive, string>> {
  const head = await read({ offset: 0, length: HEADER_BYTES });
  if (!head.ok) return head;
  const parsed = parseHeader(head.value);
  if (!parsed.ok) return parsed;
  const header = parsed.value;
  const part = async (range: Range): Promise<Result<Buffer, string>> => {
    const bytes = await read(range);
    if (!bytes.ok) return bytes;
    return bytes.value.length < range.length ? err('is cut off') : unpacked(bytes.value, header.inside);
  };
  const directories = new Map<number, Promise<Result<Directory, string>>>();
  const directoryAt = (range: Range): Promise<Result<Directory, string>> => {
    const known = directories.get(range.offset);
    if (known !== undefined) return known;
    const made = part(range).then((bytes) => (bytes.ok ? parseDirectory(bytes.value) : bytes));
    if (directories.size >= MAX_DIRECTORIES) directories.delete(directories.keys().next().value ?? -1);
    directories.set(range.offset, made);
    void made.then((result) => result.ok || directories.delete(range.offset));
    return made;
  };
  const root = await directoryAt(header.root);
  if (!root.ok) return root;
  const layers = layersOf(await part(header.metadata));
  return ok({
    header,
    layers,
    async tile(z, x, y) {
      if (z < header.minzoom || z > header.maxzoom) return ok(undefined);
      const id = tileNumber(z, x, y);
      let range = header.root;
      for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
        const directory = await directoryAt(range);
        if (!directory.ok) return directory;
        const entry = findEntry(directory.value, id);
        if (entry === undefined) return ok(undefined);
        if (entry.kind === 'tile') {
          const bytes = await read({ offset: header.tiles.offset + entry.offset, length: entry.length });
          if (!bytes.ok) return bytes;
          return bytes.value.length < entry.length ? err('is cut off') : bytes;
        }
        range = { offset: header.leaves.offset + entry.offset, length: entry.length };
      }
      return err('has directories in directories without an end');
    },
  });
}

function layersOf(metadata: Result<Buffer, string>): readonly string[] {
  if (!metadata.ok) return [];
  try {
    const { vector_layers: layers } = JSON.parse(metadata.value.toString()) as { vector_layers?: unknown };
    if (!Array.isArray(layers)) return [];
    return layers
      .slice(0, 200)
      .flatMap((layer: { id?: unknown } | null) => (typeof layer?.id === 'string' ? [layer.id] : []));
  } catch {
    return [];
  }
}
