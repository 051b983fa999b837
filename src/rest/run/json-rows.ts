// Rows off the wire → JSON, byte for byte as PostgreSQL's `row_to_json` writes them: keys once, cells copied, strings escaped by a scanner.
//
// The database takes three times as long for `json_agg` of a thousand rows as for the rows themselves, because it looks up every
// column's type and output function for every row. Here both are known before the first row comes, and the whole takes less than
// half of the processor time (bench/results/2026-11-17T0516-rows.json).

import { GrowingBytes } from '../../kernel/growing-bytes.ts';
import type { ResultField, RowSink } from '../../pg/driver.ts';
import type { BodyRows } from './body-rows.ts';
import { numberIn } from './csv-rows.ts';
import { type CellPlan, cellPlan, loadRows, writeLoaded, writtenRows } from './json-cells.ts';
import { type CellKind, cellKind } from './row-kinds.ts';

/** What stands before the first row, between two rows, around each of them, and at the end. */
export type RowFrame = {
  readonly open: Buffer;
  readonly between: Buffer;
  readonly before: Buffer;
  readonly after: Buffer;
  readonly close: Buffer;
};

const NOTHING = Buffer.alloc(0);

/** As `json_agg` separates rows. */
export const JSON_ARRAY: RowFrame = {
  open: Buffer.from('['),
  between: Buffer.from(', \n '),
  before: NOTHING,
  after: NOTHING,
  close: Buffer.from(']'),
};

/** As `json_agg` separates values that are neither rows nor arrays. */
export const VALUE_ARRAY: RowFrame = { ...JSON_ARRAY, between: Buffer.from(', ') };

/** As `json_strip_nulls` leaves it. */
export const COMPACT_JSON_ARRAY: RowFrame = { ...JSON_ARRAY, between: Buffer.from(',') };

/** As `json_build_object` spaces it. */
export const GEOJSON: RowFrame = {
  open: Buffer.from('{"type" : "FeatureCollection", "features" : ['),
  between: Buffer.from(', '),
  before: NOTHING,
  after: NOTHING,
  close: Buffer.from(']}'),
};

export const NDJSON: RowFrame = {
  open: NOTHING,
  between: NOTHING,
  before: NOTHING,
  after: Buffer.from('\n'),
  close: NOTHING,
};

/** RFC 8142: each feature between a record separator and a newline. */
export const GEOJSON_SEQUENCE: RowFrame = { ...NDJSON, before: Buffer.from('\x1e') };

type JsonColumn = { readonly key: Buffer; readonly kind: CellKind };
type JsonColumns = {
  readonly all: readonly JsonColumn[];
  /** Room for all but the cells themselves. */
  readonly size: number;
  /** For the quick writer, in each frame that was asked for; undefined: it has no room for the columns. */
  readonly plans: Map<RowFrame, CellPlan | undefined>;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const CLOSING_BRACE = 0x7d;
/** Shorter cells are quicker copied in a loop than by the native call. */
const LOOP = 48;

export class JsonRows implements RowSink, BodyRows {
  count = 0;
  total: number | undefined;
  isUnfit = false;
  isFull = false;
  readonly out: GrowingBytes;
  readonly #frame: RowFrame;
  readonly #hasTotal: boolean;
  #columns: JsonColumns = NO_COLUMNS;

  /** `hasTotal`: the last column is not shown, but says how many rows there are in all. `like`: bytes of a body of its kind. */
  constructor(frame: RowFrame, hasTotal: boolean, like = 0) {
    this.out = new GrowingBytes(like);
    this.#frame = frame;
    this.#hasTotal = hasTotal;
  }

  begin(fields: readonly ResultField[]): void {
    this.count = 0;
    this.total = undefined;
    this.isFull = false;
    this.out.at = 0;
    const columns = columnsOf(fields, this.#hasTotal);
    this.isUnfit = columns === undefined;
    this.#columns = columns ?? NO_COLUMNS;
    this.out.append(this.#frame.open);
  }

  /** The end of the body. */
  finish(): void {
    this.out.append(this.#frame.close);
  }

  /** The quick writer does all but the first row, which nothing stands before, and those that it leaves out. */
  run(bytes: Buffer, start: number, end: number): void {
    const { out } = this;
    for (let from = start; from < end; ) {
      if (this.isUnfit || this.isFull) return;
      const plan = this.count === 0 || out.at > out.most ? undefined : this.#plan();
      if (plan === undefined) {
        from = this.#rowAt(bytes, from);
        continue;
      }
      const length = loadRows(plan, bytes, from, end);
      let at = 0;
      while (at < length && out.at <= out.most && !this.isUnfit) {
        at = writeLoaded(at, length, out);
        this.count += writtenRows();
        // One that reaches beyond what was loaded begins the next part, unless it would reach beyond that, too.
        if (at > 0 && endOfRow(bytes, from + at, end) > from + length) break;
        if (at < length) at = this.#rowAt(bytes, from + at) - from;
      }
      from += at;
    }
  }

  #plan(): CellPlan | undefined {
    const { all, plans } = this.#columns;
    const frame = this.#frame;
    if (!plans.has(frame)) plans.set(frame, cellPlan(all, frame.between, frame.after));
    return plans.get(frame);
  }

  /** The row whose message begins here. Returns where it ends. */
  #rowAt(bytes: Buffer, at: number): number {
    const end = endOfRow(bytes, at, bytes.length);
    this.row(bytes, at + HEAD, end);
    return end;
  }

  row(bytes: Buffer, start: number, end: number): void {
    if (this.isUnfit || this.isFull) return;
    const { out } = this;
    if (out.at > out.most) {
      this.isFull = true;
      out.drop();
      return;
    }
    const { between, after } = this.#frame;
    const { all, size } = this.#columns;
    out.reserve(size + between.length + after.length + end - start);
    if (this.count > 0) for (let i = 0; i < between.length; i++) out.bytes[out.at++] = between[i] as number;
    this.count += 1;
    let target = out.bytes;
    let at = out.at;
    let from = start + 2;
    for (let column = 0; column < all.length; column++) {
      const { key, kind } = all[column] as JsonColumn;
      for (let i = 0; i < key.length; i++) target[at++] = key[i] as number;
      const length =
        ((bytes[from] as number) << 24) |
        ((bytes[from + 1] as number) << 16) |
        ((bytes[from + 2] as number) << 8) |
        (bytes[from + 3] as number);
      from += 4;
      if (length < 0) {
        target[at++] = 0x6e;
        target[at++] = 0x75;
        target[at++] = 0x6c;
        target[at++] = 0x6c;
        continue;
      }
      const to = from + length;
      if (kind === 'text' || (kind === 'number' && !isNumber(bytes, from))) {
        target[at++] = QUOTE;
        let i = from;
        if (length <= LOOP) {
          for (; i < to; i++) {
            const byte = bytes[i] as number;
            if (byte < 0x20 || byte === QUOTE || byte === BACKSLASH) break;
            target[at++] = byte;
          }
        } else {
          while (i < to && isPlain(bytes[i] as number)) i += 1;
          bytes.copy(target, at, from, i);
          at += i - from;
        }
        if (i < to) {
          out.at = at;
          escaped(bytes, i, to, out, size + after.length + end - i);
          target = out.bytes;
          at = out.at;
        }
        target[at++] = QUOTE;
      } else if (kind === 'boolean') {
        const word = bytes[from] === 0x74 ? TRUE : FALSE;
        for (let i = 0; i < word.length; i++) target[at++] = word[i] as number;
      } else if (kind === 'time') {
        at = time(bytes, from, to, target, at);
        if (at < 0) {
          this.isUnfit = true;
          return;
        }
      } else if (length <= LOOP) {
        for (let i = from; i < to; i++) target[at++] = bytes[i] as number;
      } else {
        bytes.copy(target, at, from, to);
        at += length;
      }
      from = to;
    }
    target[at++] = CLOSING_BRACE;
    for (let i = 0; i < after.length; i++) target[at++] = after[i] as number;
    out.at = at;
    if (this.#hasTotal && this.total === undefined) this.total = numberIn(bytes, from);
  }
}

/** The letter of a message, and its length, which counts itself. */
const HEAD = 5;

/** `end`: there is no row. */
function endOfRow(bytes: Buffer, at: number, end: number): number {
  return at < end ? at + 1 + bytes.readInt32BE(at + 1) : end;
}

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

/** Beyond its key a cell takes at most so much more than its text: quotes, and what an offset of time lacks; or `false` for `f`. */
const MAX_ADDED = 8;

const NO_COLUMNS: JsonColumns = { all: [], size: 0, plans: new Map() };

/** Undefined: a column is of a type that is not known here. */
function columnsOf(fields: readonly ResultField[], hasTotal: boolean): JsonColumns | undefined {
  const known = columnsByFields.get(fields);
  if (known !== undefined) return known;
  const all: JsonColumn[] = [];
  const shown = hasTotal ? fields.slice(0, -1) : fields;
  for (const [i, { name, type }] of shown.entries()) {
    const kind = cellKind(type);
    if (kind === undefined) return undefined;
    all.push({ key: Buffer.from(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`), kind });
  }
  // A row without columns would be `{}`, whose opening brace is a part of no key.
  if (all.length === 0) return undefined;
  const columns = { all, plans: new Map(), size: all.reduce((sum, { key }) => sum + key.length + MAX_ADDED, 1) };
  columnsByFields.set(fields, columns);
  return columns;
}

/** The fields of a prepared statement are the same object every time, and its rows are always written alike. */
const columnsByFields = new WeakMap<readonly ResultField[], JsonColumns>();

/** NaN and the infinities begin with a letter, perhaps behind a sign. */
function isNumber(bytes: Buffer, from: number): boolean {
  const first = bytes[from] as number;
  return first === 0x2d ? (bytes[from + 1] as number) <= 0x39 : first <= 0x39;
}

function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH;
}

/** The rest of a string in which something has to be escaped. `rest`: room for it and the rest of its row, were it not so. */
function escaped(bytes: Buffer, from: number, to: number, out: GrowingBytes, rest: number): void {
  let more = 0;
  for (let i = from; i < to; i++) more += (ESCAPES[bytes[i] as number]?.length ?? 1) - 1;
  out.reserve(rest + more);
  const target = out.bytes;
  let at = out.at;
  for (let i = from; i < to; i++) {
    const byte = bytes[i] as number;
    const longer = ESCAPES[byte];
    if (longer === undefined) target[at++] = byte;
    else for (let j = 0; j < longer.length; j++) target[at++] = longer[j] as number;
  }
  out.at = at;
}

/** As `escape_json` of PostgreSQL has them. */
const ESCAPES: readonly (Buffer | undefined)[] = Array.from({ length: 256 }, (_, byte) => {
  const named = { 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r', 34: '\\"', 92: '\\\\' }[byte];
  if (named !== undefined) return Buffer.from(named);
  return byte < 0x20 ? Buffer.from(`\\u${byte.toString(16).padStart(4, '0')}`) : undefined;
});

/**
 * A date or timestamp as JSON has it: a T instead of the blank, and minutes in every offset. Returns where it ends; -1: it is not written
 * in the ISO style, but in another one that the session or the role has set, from which the date cannot be read with certainty.
 */
function time(bytes: Buffer, from: number, to: number, target: Buffer, start: number): number {
  let at = start;
  let i = from;
  target[at++] = QUOTE;
  if (isLetter(bytes[bytes[from] === 0x2d ? from + 1 : from] as number)) {
    // infinity, -infinity; a day's name is followed by blanks and digits.
    for (; i < to; i++) {
      const byte = bytes[i] as number;
      if (!isLetter(byte) && byte !== 0x2d) return -1;
      target[at++] = byte;
    }
  } else {
    while (i < to && isDigit(bytes[i] as number)) target[at++] = bytes[i++] as number;
    if (i - from < 4 || bytes[i] !== 0x2d) return -1;
    let inTime = false;
    let offsetAt = -1;
    for (; i < to; i++) {
      let byte = bytes[i] as number;
      if (byte === 0x20) {
        // `BC` stands behind a blank, too, but behind the time.
        if (!inTime && isDigit(bytes[i + 1] as number)) {
          inTime = true;
          byte = 0x54;
        } else if (offsetAt >= 0) {
          at = wholeOffset(target, at, offsetAt);
          offsetAt = -1;
        }
      } else if (inTime && (byte === 0x2b || byte === 0x2d)) offsetAt = at;
      target[at++] = byte;
    }
    if (offsetAt >= 0) at = wholeOffset(target, at, offsetAt);
  }
  target[at++] = QUOTE;
  return at;
}

/** `+02` → `+02:00` */
function wholeOffset(target: Buffer, at: number, offsetAt: number): number {
  if (at - offsetAt !== 3) return at;
  target[at] = 0x3a;
  target[at + 1] = 0x30;
  target[at + 2] = 0x30;
  return at + 3;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isLetter(byte: number): boolean {
  return byte > 0x40;
}
