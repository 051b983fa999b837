// All 17 digits of double precision numbers. GDAL writes 15 of them into a dump, which is not enough to tell a number from its
// neighbours. So the reader asks for a second column beside every column of doubles, the low half of its bits, and here the two
// become the number again, before the rows are stored.
//
// The halves are Veltkamp's: `high` is the number rounded to 26 bits, `low` what that leaves. Fifteen digits of `low` are far more
// than the sum needs, and fifteen of the number are near enough to `high` that rounding them to 26 bits yields it. Beyond 1e300 the
// split overflows: those few keep 15 digits.

import type { DumpLayer, DumpSink } from './pgdump-reader.ts';

export const SPLITTER: number = 2 ** 27 + 1;

const PREFIX = 'survest low bits of ';

/** The column with the low half of another one. */
export function lowBitsColumn(column: string): string {
  return PREFIX + column;
}

const TAB = 0x09;
const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;
/** Characters of a number: `-1.7976931348623157e+308`. */
const LONGEST = 24;
const SPARE = 4096;

/** Hands layers and rows on without those columns, their numbers whole. */
export function joinDoubles(sink: DumpSink): DumpSink {
  let join: ((lines: Buffer) => Buffer) | undefined;
  return {
    async layer(layer) {
      const lows = layer.copied.filter((name) => name.startsWith(PREFIX));
      join = lows.length === 0 ? undefined : makeJoiner(layer.copied, lows);
      await sink.layer(lows.length === 0 ? layer : withoutLows(layer));
    },
    rows: (lines) => sink.rows(join === undefined ? lines : join(lines)),
  };
}

function withoutLows(layer: DumpLayer): DumpLayer {
  return {
    ...layer,
    columns: layer.columns.filter(({ name }) => !name.startsWith(PREFIX)),
    copied: layer.copied.filter((name) => !name.startsWith(PREFIX)),
  };
}

/** `lows` are the last of the columns. */
function makeJoiner(copied: readonly string[], lows: readonly string[]): (lines: Buffer) => Buffer {
  const kept = copied.length - lows.length;
  /** By field: where its low half stands; 0: it has none. */
  const lowOf = new Int32Array(kept);
  for (const [i, low] of lows.entries()) lowOf[copied.indexOf(low.slice(PREFIX.length))] = kept + i;
  /** Where fields begin in the line at hand. */
  const starts = new Int32Array(copied.length + 1);

  return (lines) => {
    let out = Buffer.allocUnsafe(lines.length + SPARE);
    let written = 0;
    for (let at = 0; at < lines.length; ) {
      let field = 1;
      starts[0] = at;
      while (at < lines.length && lines[at] !== NEWLINE) {
        // GDAL writes a tab inside a value as a backslash and the tab itself.
        if (lines[at] === BACKSLASH) at += 1;
        else if (lines[at] === TAB) {
          starts[field] = at + 1;
          field += 1;
        }
        at += 1;
      }
      at += 1;
      starts[field] = at;
      // Seldom: where a number takes more digits than its halves did.
      if (out.length - written < at - (starts[0] ?? 0) + lows.length * LONGEST) {
        const longer = Buffer.allocUnsafe(2 * out.length + lows.length * LONGEST + SPARE);
        out.copy(longer, 0, 0, written);
        out = longer;
      }
      written = writeLine(lines, out, written);
    }
    return out.subarray(0, written);
  };

  function writeLine(lines: Buffer, out: Buffer, from: number): number {
    let written = from;
    for (let field = 0; field < kept; field += 1) {
      const start = starts[field] ?? 0;
      const end = (starts[field + 1] ?? 0) - 1;
      const low = lowOf[field] ?? 0;
      const whole = low === 0 ? undefined : joined(cell(lines, field), cell(lines, low));
      written += whole === undefined ? lines.copy(out, written, start, end) : out.write(whole, written, 'latin1');
      out[written] = field === kept - 1 ? NEWLINE : TAB;
      written += 1;
    }
    return written;
  }

  function cell(lines: Buffer, field: number): string {
    return lines.toString('latin1', starts[field], (starts[field + 1] ?? 0) - 1);
  }
}

/** Undefined: it is right as it stands. */
export function joined(number: string, low: string): string | undefined {
  const near = Number(number);
  if (near === Number.POSITIVE_INFINITY && !/^inf/i.test(number)) return String(Number.MAX_VALUE);
  if (near === Number.NEGATIVE_INFINITY && !/^-inf/i.test(number)) return String(-Number.MAX_VALUE);
  const rest = Number(low);
  // NULL, NaN, and infinite ones.
  if (!Number.isFinite(near) || !Number.isFinite(rest)) return undefined;
  const whole = highBits(near - rest) + rest;
  return whole === near || !Number.isFinite(whole) ? undefined : String(whole);
}

function highBits(number: number): number {
  const scaled = number * SPLITTER;
  return scaled - (scaled - number);
}
