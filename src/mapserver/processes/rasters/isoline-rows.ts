// A band of a raster → lines as COPY has them, each with its level. Strips of rows are read one after the other, so a raster of any height takes
// the same memory.

import { inSlices, type Stage } from '../../../kernel/in-slices.ts';
import type { Affine } from '../../raster/open-raster.ts';
import type { Band, PixelNumbers } from './band.ts';
import { type DrawnLine, makeIsolines } from './isolines.ts';

export type IsolineRows = {
  readonly band: Band;
  readonly levels: { readonly interval: number; readonly base: number };
  readonly srid: number;
  readonly limits: { readonly vertices: number; readonly lines: number };
  /** Whole rows. */
  readonly write: (rows: Buffer) => Promise<unknown>;
  /** Rows of pixels that are read. */
  readonly onRow: (rows: number) => void;
  readonly signal: AbortSignal;
};

/** Of a strip: 64 MB at most. */
const STRIP_PIXELS = 8_388_608;
/** Lines that wait to be written. */
const HELD_BYTES = 1_048_576;

export class TooManyLines extends Error {}

/** How many lines there are. Throws `TooManyVertices` and `TooManyLines` when all that came before are written, and what the signal throws. */
export async function isolineRows(wanted: IsolineRows): Promise<number> {
  const { band, levels, srid, limits, write, onRow, signal } = wanted;
  const { width, height, block, affine } = band;
  let held: Buffer[] = [];
  let bytes = 0;
  let lines = 0;
  const onLine = (level: number, line: DrawnLine): void => {
    if (lines === limits.lines) throw new TooManyLines();
    lines += 1;
    const row = Buffer.from(`${level}\t${lineHex(line, affine, srid)}\n`, 'latin1');
    held.push(row);
    bytes += row.length;
  };
  const drain = async (): Promise<void> => {
    if (bytes === 0) return;
    const rows = Buffer.concat(held);
    held = [];
    bytes = 0;
    await write(rows);
  };
  const isolines = makeIsolines({ width, ...levels, maxVertices: limits.vertices, onLine });
  const rowsAtOnce = Math.max(1, Math.min(block[1], Math.floor(STRIP_PIXELS / width)));
  try {
    for (let top = 0; top < height; top += rowsAtOnce) {
      const rows = Math.min(rowsAtOnce, height - top);
      signal.throwIfAborted();
      const strip = await readStrip(band, top, rows);
      for (let row = 0; row < rows; ) {
        signal.throwIfAborted();
        row = await inSlices(addRows(isolines.add, strip, width, row, () => bytes > HELD_BYTES));
        await drain();
        onRow(top + row);
      }
    }
    isolines.end();
  } finally {
    await drain();
  }
  return lines;
}

/** Block by block: to read all of them at once would keep others waiting. */
async function readStrip({ width, block, read }: Band, top: number, rows: number): Promise<PixelNumbers> {
  let strip: PixelNumbers | undefined;
  for (let left = 0; left < width; left += block[0]) {
    const right = Math.min(width, left + block[0]);
    const numbers = await read([left, top, right, top + rows]);
    strip ??= numbers instanceof Float32Array ? new Float32Array(width * rows) : new Float64Array(width * rows);
    const columns = right - left;
    for (let row = 0; row < rows; row++)
      strip.set(numbers.subarray(row * columns, (row + 1) * columns), row * width + left);
  }
  return strip ?? new Float32Array(0);
}

/** The next row that is not added yet: not all of them are, if many lines wait to be written. */
function* addRows(
  add: (row: PixelNumbers) => void,
  strip: PixelNumbers,
  width: number,
  from: number,
  isFull: () => boolean,
): Stage<number> {
  let row = from;
  while (row * width < strip.length && !isFull()) {
    add(strip.subarray(row * width, (row + 1) * width));
    row += 1;
    yield;
  }
  return row;
}

/** EWKB of a line, as hexadecimal digits. */
function lineHex(line: DrawnLine, { a, b, x0, d, e, y0 }: Affine, srid: number): string {
  const bytes = Buffer.alloc(13 + line.length * 8);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(0x20000002, 1);
  bytes.writeUInt32LE(srid, 5);
  bytes.writeUInt32LE(line.length / 2, 9);
  for (let i = 0; i < line.length; i += 2) {
    const [column, row] = [line[i] ?? 0, line[i + 1] ?? 0];
    bytes.writeDoubleLE(a * column + b * row + x0, 13 + i * 8);
    bytes.writeDoubleLE(d * column + e * row + y0, 21 + i * 8);
  }
  return bytes.toString('hex');
}
