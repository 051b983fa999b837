// Writes PMTiles archives, version 3.

import { gzipSync } from 'node:zlib';

type Entry = { readonly id: number; readonly run: number; readonly offset: number; readonly length: number };

export function varints(numbers: readonly number[]): Buffer {
  const bytes: number[] = [];
  for (let number of numbers) {
    while (number >= 128) {
      bytes.push((number % 128) | 128);
      number = Math.floor(number / 128);
    }
    bytes.push(number);
  }
  return Buffer.from(bytes);
}

export function directory(entries: readonly Entry[]): Buffer {
  return varints([
    entries.length,
    ...entries.map(({ id }, i) => id - (entries[i - 1]?.id ?? 0)),
    ...entries.map(({ run }) => run),
    ...entries.map(({ length }) => length),
    ...entries.map(({ offset }) => offset + 1),
  ]);
}

/** An archive with its tiles behind a directory of the second row. `type`: 1 are vectors, 2 PNG. `maxzoom`: of its tiles. */
export function archive(type: number, tiles: ReadonlyMap<number, Buffer>, metadata: unknown, maxzoom = 2): Buffer {
  const entries: Entry[] = [];
  let length = 0;
  for (const [id, bytes] of tiles) {
    entries.push({ id, run: 1, offset: length, length: bytes.length });
    length += bytes.length;
  }
  const leaf = gzipSync(directory(entries));
  const root = gzipSync(directory([{ id: 0, run: 0, offset: 0, length: leaf.length }]));
  const meta = gzipSync(JSON.stringify(metadata));
  const header = Buffer.alloc(127);
  header.write('PMTiles', 0, 'latin1');
  header[7] = 3;
  let at = 127;
  for (const [place, size] of [
    [8, root.length],
    [24, meta.length],
    [40, leaf.length],
    [56, length],
  ] as const) {
    header.writeBigUInt64LE(BigInt(at), place);
    header.writeBigUInt64LE(BigInt(size), place + 8);
    at += size;
  }
  header[97] = 2;
  header[98] = type === 1 ? 2 : 1;
  header[99] = type;
  header[101] = maxzoom;
  for (const [i, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * 1e7, 102 + 4 * i);
  return Buffer.concat([header, root, meta, leaf, ...tiles.values()]);
}
