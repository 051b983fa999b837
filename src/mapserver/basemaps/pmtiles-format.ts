// PMTiles, version 3: header, directories and numbers of tiles, as https://github.com/protomaps/PMTiles describes them. An archive is one file
// in which a tile is found by reading two or three ranges of it. Pure.

import { err, ok, type Result } from '../../kernel/result.ts';

export type Range = { readonly offset: number; readonly length: number };

export type Compression = 'none' | 'gzip' | 'brotli';
export type TileType = 'mvt' | 'png' | 'jpeg' | 'webp' | 'avif';

export type ArchiveHeader = {
  readonly root: Range;
  readonly metadata: Range;
  readonly leaves: Range;
  readonly tiles: Range;
  /** Of directories and metadata. */
  readonly inside: Compression;
  readonly tileCompression: Compression;
  readonly tileType: TileType;
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly bounds: readonly [number, number, number, number];
};

export const HEADER_BYTES = 127;
/** Larger than any directory or metadata that a writer makes. */
const MAX_PART = 16 * 1024 * 1024;
const MAX_ENTRIES = 1_000_000;
const MAX_ARCHIVE_ZOOM = 26;

const COMPRESSIONS: readonly (Compression | undefined)[] = [undefined, 'none', 'gzip', 'brotli'];
const TILE_TYPES: readonly (TileType | undefined)[] = [undefined, 'mvt', 'png', 'jpeg', 'webp', 'avif'];

export function parseHeader(bytes: Buffer): Result<ArchiveHeader, string> {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 7) !== 'PMTiles')
    return err('is not a PMTiles archive');
  if (bytes[7] !== 3) return err('is not of version 3 of PMTiles');
  const whole = (at: number): number => Number(bytes.readBigUInt64LE(at));
  const range = (at: number): Range => ({ offset: whole(at), length: whole(at + 8) });
  const degrees = (at: number): number => bytes.readInt32LE(at) / 1e7;
  const [inside, tileCompression] = [COMPRESSIONS[bytes[97] ?? 0], COMPRESSIONS[bytes[98] ?? 0]];
  const tileType = TILE_TYPES[bytes[99] ?? 0];
  if (inside === undefined || tileCompression === undefined)
    return err('is compressed in a way that is not known here: gzip, brotli or none are');
  if (tileType === undefined) return err('has tiles of an unknown type');
  const header: ArchiveHeader = {
    root: range(8),
    metadata: range(24),
    leaves: range(40),
    tiles: range(56),
    inside,
    tileCompression,
    tileType,
    minzoom: bytes[100] ?? 0,
    maxzoom: bytes[101] ?? 0,
    bounds: [degrees(102), degrees(106), degrees(110), degrees(114)],
  };
  const parts = [header.root, header.metadata];
  if (parts.some(({ length }) => length > MAX_PART)) return err('has a directory that is too large');
  if (header.maxzoom > MAX_ARCHIVE_ZOOM || header.minzoom > header.maxzoom) return err('has impossible zooms');
  return ok(header);
}

/** Columns of the same length; `runs` of 0 are directories. */
export type Directory = {
  readonly ids: Float64Array;
  readonly runs: Float64Array;
  readonly lengths: Float64Array;
  readonly offsets: Float64Array;
};

export function parseDirectory(bytes: Uint8Array): Result<Directory, string> {
  let at = 0;
  const next = (): number => {
    let [value, scale] = [0, 1];
    for (let i = 0; i < 8; i += 1) {
      const byte = bytes[at++];
      if (byte === undefined) return Number.NaN;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
    return Number.NaN;
  };
  const count = next();
  // Every entry takes four bytes at least.
  if (!(count <= MAX_ENTRIES && count * 4 <= bytes.length)) return err('has a directory that is none');
  const column = (): Float64Array => Float64Array.from({ length: count }, next);
  const ids = column();
  for (let i = 1; i < count; i += 1) ids[i] = (ids[i] ?? 0) + (ids[i - 1] ?? 0);
  const [runs, lengths, offsets] = [column(), column(), column()];
  for (let i = 0; i < count; i += 1) {
    const given = offsets[i] ?? 0;
    offsets[i] = given === 0 && i > 0 ? (offsets[i - 1] ?? 0) + (lengths[i - 1] ?? 0) : given - 1;
  }
  if ([ids, runs, lengths, offsets].some((all) => all.some((one) => !(one >= 0))))
    return err('has a directory that is none');
  return ok({ ids, runs, lengths, offsets });
}

/** Where the tile is, or the directory that knows. */
export function findEntry(
  { ids, runs, lengths, offsets }: Directory,
  id: number,
): (Range & { readonly kind: 'tile' | 'directory' }) | undefined {
  let [low, high] = [0, ids.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? 0) <= id) low = middle + 1;
    else high = middle - 1;
  }
  if (high < 0) return undefined;
  const run = runs[high] ?? 0;
  const range = { offset: offsets[high] ?? 0, length: lengths[high] ?? 0 };
  if (range.length > MAX_PART) return undefined;
  if (run === 0) return { kind: 'directory', ...range };
  return id - (ids[high] ?? 0) < run ? { kind: 'tile', ...range } : undefined;
}

/** The place of a tile on the Hilbert curves of all zooms, one after the other. */
export function tileNumber(z: number, x: number, y: number): number {
  let number = (4 ** z - 1) / 3;
  let [column, row] = [x, y];
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const right = Math.floor(column / side) % 2;
    const lower = Math.floor(row / side) % 2;
    number += side * side * ((3 * right) ^ lower);
    if (lower === 0) {
      if (right === 1) [column, row] = [side - 1 - (column % side), side - 1 - (row % side)];
      [column, row] = [row, column];
    }
  }
  return number;
}
