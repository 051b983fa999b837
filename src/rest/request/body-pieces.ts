// Splits a large body into pieces of whole rows, as its bytes come: a JSON array into arrays, NDJSON into lines, CSV into lines below the
// header again. Each piece is a body of the same media type by itself, and is checked as one. A scanner that knows strings, depth and quotes;
// what is wrong otherwise is found where the piece is read.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { BodyProblem } from './request-error.ts';

export type BodyPiece = {
  readonly bytes: Buffer;
  /** Rows before it, and in it. */
  readonly before: number;
  readonly rows: number;
  /** Lines before it in the body, to be added to those of a problem in it. */
  readonly lines: number;
};

export type SplitKind = 'json' | 'ndjson' | 'csv';

export type SplitProblem =
  | BodyProblem
  | { readonly kind: 'row-too-large'; readonly row: number; readonly limit: number };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');
const NOTHING = Buffer.alloc(0);

export type SplitLimits = {
  /** Of a piece, about. */
  readonly piece: number;
  /** Of one row. */
  readonly row: number;
};

/** Where the scan stands within the rows: behind which byte the last whole row ends, and how many there are. */
type Scan = {
  /** Looks at `bytes` from `from` on; notes ends of rows. */
  run(bytes: Buffer, from: number): void;
  /** Behind the last whole row in the bytes held, and where the next one begins; -1: there is none. */
  end: number;
  next: number;
  rows: number;
  lines: number;
  /** Whether a row has begun behind the last whole one. */
  isInRow: boolean;
  isBroken: boolean;
};

export class BodySplitter {
  readonly #limits: SplitLimits;
  readonly #scan: Scan;
  #held: Buffer = NOTHING;
  #header: Buffer | undefined;
  #before = 0;
  #linesBefore = 0;

  constructor(kind: SplitKind, limits: SplitLimits) {
    this.#limits = limits;
    this.#scan = kind === 'json' ? new ArrayScan() : kind === 'csv' ? new CsvScan() : new LineScan();
  }

  /** At most one piece: chunks are smaller than pieces. */
  push(chunk: Buffer): Result<BodyPiece | undefined, SplitProblem> {
    const from = this.#held.length;
    this.#held = from === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#scan.run(this.#held, from);
    if (this.#scan.isBroken) return err({ kind: 'json-invalid' });
    if (this.#scan.rows > 0 && this.#held.length >= this.#limits.piece) return ok(this.#take());
    if (this.#held.length > this.#limits.row)
      return err({ kind: 'row-too-large', row: this.#before + this.#scan.rows + 1, limit: this.#limits.row });
    return ok(undefined);
  }

  /** What is left. An empty body is a piece as well: what it means is said where it is read. */
  finish(): Result<BodyPiece | undefined, SplitProblem> {
    const scan = this.#scan;
    if (scan instanceof ArrayScan && scan.isArray && !scan.hasEnded) return err({ kind: 'json-invalid' });
    if (scan.isInRow) scan.rows += 1;
    // A comma, and nothing behind it.
    else if (scan instanceof ArrayScan && scan.isArray && this.#before > 0) return err({ kind: 'json-invalid' });
    if (this.#before > 0 && scan.rows === 0) return ok(undefined);
    scan.end = scan instanceof ArrayScan && scan.isArray ? scan.closedAt : this.#held.length;
    scan.next = this.#held.length;
    return ok(this.#take());
  }

  #take(): BodyPiece {
    const scan = this.#scan;
    const part = this.#held.subarray(0, scan.end);
    const piece = {
      bytes: this.#framed(part),
      before: this.#before,
      rows: scan.rows,
      lines: this.#header === undefined || this.#before === 0 ? 0 : this.#linesBefore - 1,
    };
    if (scan instanceof CsvScan && this.#header === undefined)
      this.#header = Buffer.from(part.subarray(0, scan.headerEnd));
    this.#before += scan.rows;
    this.#linesBefore += scan.lines;
    // A copy: what is left must not keep the whole.
    this.#held = Buffer.from(this.#held.subarray(scan.next));
    if (scan instanceof ArrayScan && scan.closedAt >= 0) scan.closedAt -= scan.next;
    scan.end = -1;
    scan.next = -1;
    scan.rows = 0;
    scan.lines = 0;
    return piece;
  }

  #framed(part: Buffer): Buffer {
    if (this.#scan instanceof ArrayScan) {
      if (!this.#scan.isArray) return part;
      const from = this.#before === 0 ? this.#scan.opensAt + 1 : 0;
      return Buffer.concat([OPEN, part.subarray(from), CLOSE]);
    }
    return this.#header === undefined ? part : Buffer.concat([this.#header, part]);
  }
}

class ArrayScan implements Scan {
  end = -1;
  next = -1;
  rows = 0;
  /** Problems of JSON have none. */
  lines = 0;
  isInRow = false;
  isBroken = false;
  /** What is none is one row, and stays whole. */
  isArray = false;
  opensAt = -1;
  closedAt = -1;
  hasEnded = false;
  #hasBegun = false;
  #depth = 0;
  #inString = false;
  #escapes = false;

  run(bytes: Buffer, from: number): void {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (this.#inString) {
        if (this.#escapes) this.#escapes = false;
        else if (byte === BACKSLASH) this.#escapes = true;
        else if (byte === QUOTE) this.#inString = false;
        continue;
      }
      if (byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB) continue;
      if (!this.#hasBegun) {
        this.#hasBegun = true;
        this.isArray = byte === OPEN_ARRAY;
        this.opensAt = at;
        this.isInRow = !this.isArray;
        if (this.isArray) {
          this.#depth = 1;
          continue;
        }
      }
      if (!this.isArray) continue;
      if (this.hasEnded) {
        this.isBroken = true;
        return;
      }
      if (byte === QUOTE) {
        this.#inString = true;
        this.isInRow = true;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        this.#depth++;
        this.isInRow = true;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        this.#depth--;
        if (this.#depth > 0) continue;
        this.hasEnded = true;
        this.closedAt = at;
      } else if (byte === COMMA && this.#depth === 1) {
        this.rows++;
        this.end = at;
        this.next = at + 1;
        this.isInRow = false;
      } else this.isInRow = true;
    }
  }
}

class LineScan implements Scan {
  end = -1;
  next = -1;
  rows = 0;
  lines = 0;
  isInRow = false;
  readonly isBroken = false;

  run(bytes: Buffer, from: number): void {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === LINE_FEED) {
        this.lines++;
        if (this.isInRow) this.rows++;
        this.isInRow = false;
        this.end = at + 1;
        this.next = at + 1;
      } else if (byte !== SPACE && byte !== TAB && byte !== CARRIAGE_RETURN) this.isInRow = true;
    }
  }
}

/** The header counts as no row. A quote opens a cell only where the cell begins, as where it is read. */
class CsvScan implements Scan {
  end = -1;
  next = -1;
  rows = 0;
  lines = 0;
  isInRow = false;
  readonly isBroken = false;
  /** Behind the first line that is not blank. */
  headerEnd = 0;
  #cell: 'begins' | 'plain' | 'quoted' | 'after-quote' = 'begins';
  #afterReturn = false;

  run(bytes: Buffer, from: number): void {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      const isEnd = byte === LINE_FEED || byte === CARRIAGE_RETURN;
      const isSecond = byte === LINE_FEED && this.#afterReturn;
      this.#afterReturn = byte === CARRIAGE_RETURN;
      if (isEnd && !isSecond) this.lines++;
      if (this.#cell === 'quoted') {
        if (byte === QUOTE) this.#cell = 'after-quote';
        continue;
      }
      if (this.#cell === 'after-quote' && byte === QUOTE) {
        this.#cell = 'quoted';
        continue;
      }
      if (isEnd) {
        if (this.isInRow && this.headerEnd > 0) this.rows++;
        else if (this.isInRow) this.headerEnd = at + 1;
        this.isInRow = false;
        this.#cell = 'begins';
        this.end = at + 1;
        this.next = at + 1;
        continue;
      }
      this.isInRow = true;
      if (byte === COMMA) this.#cell = 'begins';
      else if (this.#cell === 'begins') this.#cell = byte === QUOTE ? 'quoted' : 'plain';
    }
  }
}
