// Runs of rows → JSON by WebAssembly (`json-cells.wat`): the module, its memory, and how a statement's columns stand in it.
//
// It looks at sixteen bytes at once and copies as many, and nobody checks each access. Of the processor time of this process, 1,000 rows of five columns
// take 0.37 ms instead of 0.81, 100 rows of 23 columns 0.34 ms instead of 0.63, the socket included (bench/results/2026-11-17T0516-rows.json).
// Where the processor knows no such instructions, or the host allows no WebAssembly, there is no module, and rows are written one by one.

import type { GrowingBytes } from '../../kernel/growing-bytes.ts';
import { openWasm } from '../../kernel/open-wasm.ts';
import { WASM } from './json-cells.wasm.gen.ts';
import type { CellKind } from './row-kinds.ts';

/** Columns as they stand in the memory: the words that `write` begins with, and what these point to. */
export type CellPlan = { readonly words: Int32Array; readonly bytes: Uint8Array };

type Column = { readonly key: Uint8Array; readonly kind: CellKind };

/** Rows of one level, and what stands before each of them by the level of the row before; that of the first row is the first. */
type CellLevel = {
  /** `other`: a column of other levels. */
  readonly columns: readonly (Column | 'other')[];
  /** Undefined: no row of the level can be there. */
  readonly before: readonly (Uint8Array | undefined)[];
};

const KINDS: Readonly<Record<CellKind, number>> = { number: 0, json: 1, text: 2, boolean: 3, time: 4 };
const OTHER = 5;

// The places of json-cells.wat: of its words, and of what is filled in bytes.
const TOLD_END = 0;
const TOLD_ROWS = 1;
const PLAN_WORDS = 2;
const LEVEL_BEFORE = 9;
const ESCAPES = 64;
const PLAN = 4096;
const INPUT = 64 * 1024;
const OUTPUT = 128 * 1024;
/** Of twelve pages of memory; the last bytes are for what is copied beyond an end. */
const OUTPUT_END: number = 12 * 64 * 1024 - 64;

/** The letter of a message, and its length. */
const HEAD = 5;

const COLUMN_BYTES = 12;
/** Of a level, and of what stands before its rows. */
const PAIR_BYTES = 8;
/** What a cell takes beyond its key and six times its text: quotes, minutes of an offset, `false` for `f`, what is copied beyond its end. */
const CELL_ROOM = 32;

const ENDING = Buffer.from('}');

/** `between`, `after`: what stands around rows. Undefined: the keys are too long for the memory, or there is no module. */
export function cellPlan(columns: readonly Column[], between: Uint8Array, after: Uint8Array): CellPlan | undefined {
  const keys = columns.map(({ key }, i) => (i === 0 ? Buffer.concat([between, key]) : key));
  const ending = Buffer.concat([ENDING, after]);
  const table = Buffer.alloc(columns.length * COLUMN_BYTES);
  let at = PLAN + table.length;
  for (const [i, { kind }] of columns.entries()) {
    const length = keys[i]?.length ?? 0;
    table.writeInt32LE(KINDS[kind], i * COLUMN_BYTES);
    table.writeInt32LE(at, i * COLUMN_BYTES + 4);
    table.writeInt32LE(length, i * COLUMN_BYTES + 8);
    at += length;
  }
  const bytes = Buffer.concat([table, ...keys, ending]);
  if (PLAN + bytes.length > INPUT || cells() === undefined) return undefined;
  const room = bytes.length + (columns.length + 1) * CELL_ROOM;
  return {
    words: Int32Array.of(PLAN, PLAN + table.length, at, ending.length, room, OUTPUT, OUTPUT_END, -1, 0, 0, 0),
    bytes,
  };
}

/** Undefined: as of `cellPlan`. */
export function levelPlan(levels: readonly CellLevel[]): CellPlan | undefined {
  const count = levels.length;
  const width = levels[0]?.columns.length ?? 0;
  const table = Buffer.alloc(count * width * COLUMN_BYTES);
  const ends = Buffer.alloc(count * PAIR_BYTES);
  const befores = Buffer.alloc((count + 1) * count * PAIR_BYTES);
  const endsAt = PLAN + table.length;
  const beforesAt = endsAt + ends.length;
  const texts: Uint8Array[] = [];
  let at = beforesAt + befores.length;
  const place = (into: Buffer, offset: number, text: Uint8Array): void => {
    into.writeInt32LE(at, offset);
    into.writeInt32LE(text.length, offset + 4);
    texts.push(text);
    at += text.length;
  };
  for (const [i, { columns, before }] of levels.entries()) {
    for (const [j, column] of columns.entries()) {
      const offset = (i * width + j) * COLUMN_BYTES;
      table.writeInt32LE(column === 'other' ? OTHER : KINDS[column.kind], offset);
      place(table, offset + 4, column === 'other' ? NO_KEY : column.key);
    }
    ends.writeInt32LE(PLAN + i * width * COLUMN_BYTES, i * PAIR_BYTES);
    ends.writeInt32LE(PLAN + (i + 1) * width * COLUMN_BYTES, i * PAIR_BYTES + 4);
    for (const [j, text] of before.entries()) {
      const offset = (j * count + i) * PAIR_BYTES;
      if (text === undefined) befores.writeInt32LE(IMPOSSIBLE, offset + 4);
      else place(befores, offset, text);
    }
  }
  const bytes = Buffer.concat([table, ends, befores, ...texts]);
  if (PLAN + bytes.length > INPUT || cells() === undefined) return undefined;
  const room = bytes.length + (width + 1) * CELL_ROOM;
  return {
    words: Int32Array.of(PLAN, endsAt, at, 0, room, OUTPUT, OUTPUT_END, -1, count, endsAt, beforesAt),
    bytes,
  };
}

const IMPOSSIBLE = -1;
const NO_KEY = new Uint8Array(0);

/** Level of the last row of several levels that was written, -1: none; here, or by others who tell so. */
export function lastLevel(): number {
  return opened().words[LEVEL_BEFORE] ?? -1;
}

export function tellLevel(level: number): void {
  opened().words[LEVEL_BEFORE] = level;
}

/** Takes as many bytes of a run of DataRow messages as there is room for, and returns how many. */
export function loadRows(plan: CellPlan, bytes: Uint8Array, from: number, to: number): number {
  const module = openedFor(plan);
  const length = Math.min(to - from, OUTPUT - INPUT);
  module.bytes.set(bytes.subarray(from, from + length), INPUT);
  return length;
}

/** The same of one row without the head of its message. 0: there is no room for it. */
export function loadRow(plan: CellPlan, bytes: Uint8Array, from: number, to: number): number {
  const length = HEAD + to - from;
  if (length > OUTPUT - INPUT) return 0;
  const module = openedFor(plan);
  // Its letter is not looked at, and its length counts itself.
  module.bytes[INPUT + 1] = 0;
  module.bytes[INPUT + 2] = ((length - 1) >> 16) & 0xff;
  module.bytes[INPUT + 3] = ((length - 1) >> 8) & 0xff;
  module.bytes[INPUT + 4] = (length - 1) & 0xff;
  module.bytes.set(bytes.subarray(from, to), INPUT + HEAD);
  return length;
}

function openedFor(plan: CellPlan): Cells {
  const module = opened();
  if (module.plan === plan) return module;
  module.words.set(plan.words, PLAN_WORDS);
  module.bytes.set(plan.bytes, PLAN);
  module.plan = plan;
  return module;
}

/**
 * Appends loaded rows from `at` on. Returns the place of the first that it leaves to others: one that is not whole, one that is too long, one with a
 * date that is not written as dates mostly are, or one whose level cannot be next. `length`, as `loadRows` returned it: there is none.
 */
export function writeLoaded(at: number, length: number, out: GrowingBytes): number {
  const { write, words, bytes } = opened();
  const stop = write(INPUT + at, INPUT + length) - INPUT;
  out.append(bytes.subarray(OUTPUT, words[TOLD_END]));
  return stop;
}

/** How many rows the last `writeLoaded` has appended. */
export function writtenRows(): number {
  return opened().words[TOLD_ROWS] ?? 0;
}

type Cells = {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  readonly write: (from: number, to: number) => number;
  /** The one whose columns are in the memory. */
  plan: CellPlan | undefined;
};

/** One for the process: rows are loaded and written in one go, and nothing of them is kept. */
let one: Cells | 'none' | undefined;

function cells(): Cells | undefined {
  one ??= open() ?? 'none';
  return one === 'none' ? undefined : one;
}

function opened(): Cells {
  const found = cells();
  if (found === undefined) throw new Error('there is a plan only where there is a module');
  return found;
}

function open(): Cells | undefined {
  const module = openWasm(WASM, 'write');
  if (module === undefined) return undefined;
  const { bytes, words, run: write } = module;
  for (let byte = 0; byte < 0x80; byte++) {
    const written = Buffer.from(JSON.stringify(String.fromCharCode(byte)).slice(1, -1));
    bytes.set(written, ESCAPES + byte * 8);
    bytes[ESCAPES + byte * 8 + 7] = written.length;
  }
  return { bytes, words, write, plan: undefined };
}
