// A shapefile of polygons, as many as are asked for: made here, for no tool that could make it is on every machine.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';

/** Corners of each polygon; with these, 200,000 polygons are 80 MB. */
const CORNERS = 20;
const RECORD_BYTES = 8 + 48 + 16 * (CORNERS + 1);
const PRJ =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

/** Writes `${stem}.shp` and what belongs to it. */
export async function writeShapefile(stem: string, count: number): Promise<readonly string[]> {
  const contentWords = (RECORD_BYTES - 8) / 2;
  await inPieces(`${stem}.shp`, header(50 + (count * RECORD_BYTES) / 2), count, RECORD_BYTES, (n, bytes) => {
    const [x, y] = [-179 + ((n * 0.37) % 350), -80 + ((n * 0.0071) % 160)];
    bytes.writeInt32BE(n + 1, 0);
    bytes.writeInt32BE(contentWords, 4);
    bytes.writeInt32LE(5, 8);
    for (const [i, edge] of [x - 0.01, y - 0.01, x + 0.01, y + 0.01].entries()) bytes.writeDoubleLE(edge, 12 + 8 * i);
    bytes.writeInt32LE(1, 44);
    bytes.writeInt32LE(CORNERS + 1, 48);
    bytes.writeInt32LE(0, 52);
    for (let i = 0; i <= CORNERS; i += 1) {
      // Clockwise, and closed.
      const angle = (-2 * Math.PI * (i % CORNERS)) / CORNERS;
      bytes.writeDoubleLE(x + 0.01 * Math.cos(angle), 56 + 16 * i);
      bytes.writeDoubleLE(y + 0.01 * Math.sin(angle), 64 + 16 * i);
    }
  });
  await inPieces(`${stem}.shx`, header(50 + 4 * count), count, 8, (n, bytes) => {
    bytes.writeInt32BE(50 + (n * RECORD_BYTES) / 2, 0);
    bytes.writeInt32BE(contentWords, 4);
  });
  const fields = [
    ['ID', 'N', 10, 0],
    ['NAME', 'C', 16, 0],
    ['VALUE', 'N', 12, 3],
  ] as const;
  const rowBytes = 1 + fields.reduce((sum, [, , length]) => sum + length, 0);
  await inPieces(`${stem}.dbf`, dbfHeader(fields, count, rowBytes), count, rowBytes, (n, bytes) => {
    const cells = [String(n).padStart(10), `name ${n}`.padEnd(16), (n * 0.125).toFixed(3).padStart(12)];
    bytes.write(` ${cells.join('')}`, 'latin1');
  });
  await writeFile(`${stem}.prj`, PRJ);
  await writeFile(`${stem}.cpg`, 'UTF-8');
  return ['shp', 'shx', 'dbf', 'prj', 'cpg'].map((extension) => `${stem}.${extension}`);
}

function header(words: number): Buffer {
  const bytes = Buffer.alloc(100);
  bytes.writeInt32BE(9994, 0);
  bytes.writeInt32BE(words, 24);
  bytes.writeInt32LE(1000, 28);
  bytes.writeInt32LE(5, 32);
  for (const [i, edge] of [-180, -90, 180, 90].entries()) bytes.writeDoubleLE(edge, 36 + 8 * i);
  return bytes;
}

type Field = readonly [name: string, type: string, length: number, decimals: number];

function dbfHeader(fields: readonly Field[], count: number, rowBytes: number): Buffer {
  const bytes = Buffer.alloc(33 + 32 * fields.length);
  bytes.set([3, 124, 1, 1]);
  bytes.writeUInt32LE(count, 4);
  bytes.writeUInt16LE(bytes.length, 8);
  bytes.writeUInt16LE(rowBytes, 10);
  for (const [i, [name, type, length, decimals]] of fields.entries()) {
    bytes.write(name, 32 + 32 * i, 'latin1');
    bytes.write(type, 43 + 32 * i, 'latin1');
    bytes.set([length, decimals], 48 + 32 * i);
  }
  bytes[bytes.length - 1] = 0x0d;
  return bytes;
}

async function inPieces(
  path: string,
  head: Buffer,
  count: number,
  bytesEach: number,
  write: (n: number, bytes: Buffer) => void,
): Promise<void> {
  const stream = createWriteStream(path);
  stream.write(head);
  const atOnce = 1000;
  for (let n = 0; n < count; n += atOnce) {
    const here = Math.min(atOnce, count - n);
    const bytes = Buffer.alloc(here * bytesEach);
    for (let i = 0; i < here; i += 1) write(n + i, bytes.subarray(i * bytesEach, (i + 1) * bytesEach));
    if (!stream.write(bytes)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}
