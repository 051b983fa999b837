// A body of rows that are all written alike, as programs write them: read by WebAssembly (`uniform-rows.wat`), which checks sixteen bytes at once, and makes
// of the rows what COPY reads while it is there. In: the bytes of a JSON array. Out: the keys of its rows, and their lines; or undefined, where it is
// not so simple: then `scanJson` looks at it, and PostgreSQL reads the rows as JSON.

import { isUtf8 } from 'node:buffer';
import { openWasm, type WasmModule } from '../../kernel/open-wasm.ts';
import { keyText } from './json-row-keys.ts';
import { type JsonText, jsonText, numberEnd, skipBlanks, stringEnd, wordEnd } from './json-text.ts';
import { LIMITS } from './limits.ts';
import { WASM } from './uniform-rows.wasm.gen.ts';

export type UniformRows = {
  /** In their order, each once. */
  readonly keys: readonly string[];
  readonly rows: number;
  /** A line for each row, with what `json_to_recordset` would make of its values, if none of them is for a column of JSON. */
  readonly lines: Uint8Array;
};

// The places of uniform-rows.wat: of its words, and of what is filled in bytes.
const TOLD_AT = 0;
const TOLD_TO = 1;
const TOLD_ROWS = 2;
const LEADS = 1024;
const PAIR_BYTES = 8;
const TEXT = 32 * 1024;
/** What is read in one go. A row that is longer is not read here. */
const TEXT_BYTES = 64 * 1024;
/** Behind the text: as much as is looked at beyond its end. */
const ZEROS = 64;
const LINES = 99_328;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export function readUniformRows(bytes: Uint8Array): UniformRows | undefined {
  const module = reader();
  if (module === undefined || !isUtf8(bytes)) return undefined;
  const first = firstRow(bytes);
  if (first === undefined || !placeLeads(module, bytes, first)) return undefined;
  const { bytes: memory, words, run } = module;
  const lines: Uint8Array[] = [];
  words[TOLD_ROWS] = 0;
  let from = first.value;
  for (;;) {
    const to = Math.min(bytes.length, from + TEXT_BYTES);
    memory.set(bytes.subarray(from, to), TEXT);
    memory.fill(0, TEXT + to - from, TEXT + to - from + ZEROS);
    run(TEXT, first.keys.length, lines.length === 0 ? 0 : 1);
    const at = from + (words[TOLD_AT] as number) - TEXT;
    if (at === from) return undefined;
    // A copy: the memory is written over by the next body.
    lines.push(Buffer.from(memory.subarray(LINES, words[TOLD_TO])));
    if (isEnding(bytes, at)) break;
    if (to === bytes.length) return undefined;
    from = at;
  }
  const [only] = lines;
  const rows = words[TOLD_ROWS] as number;
  return { keys: first.keys, rows, lines: lines.length === 1 && only !== undefined ? only : Buffer.concat(lines) };
}

/** What the first row tells of all others. */
type FirstRow = {
  readonly keys: readonly string[];
  /** Where its first value begins. */
  readonly value: number;
  /** What stands before each value, from where to where. Before the first one: as it is in the second row, from the end of the first. */
  readonly leads: readonly (readonly [from: number, to: number])[];
};

function firstRow(bytes: Uint8Array): FirstRow | undefined {
  const start = skipBlanks(bytes, 0);
  const object = skipBlanks(bytes, start + 1);
  if (bytes[start] !== OPEN_ARRAY || bytes[object] !== OPEN_OBJECT) return undefined;
  const text = jsonText(bytes);
  const keys: string[] = [];
  const leads: [number, number][] = [];
  let mark = object;
  let end = start;
  do {
    const key = keyBehind(text, mark);
    if (key === undefined || keys.length === LIMITS.bodyKeys.most) return undefined;
    keys.push(key.name);
    leads.push([end, key.value]);
    end = valueEnd(text, key.value);
    if (end < 0) return undefined;
    mark = skipBlanks(bytes, end);
  } while (bytes[mark] === COMMA);
  const comma = skipBlanks(bytes, mark + 1);
  if (bytes[mark] !== CLOSE_OBJECT || bytes[comma] !== COMMA) return undefined;
  const second = skipBlanks(bytes, comma + 1);
  const again = bytes[second] === OPEN_OBJECT ? keyBehind(text, second) : undefined;
  const [first] = leads;
  if (first === undefined || again === undefined || again.name !== keys[0] || new Set(keys).size < keys.length)
    return undefined;
  return { keys, value: first[1], leads: [[end, again.value], ...leads.slice(1)] };
}

/** The key that stands behind a brace or a comma, and where its value begins. */
function keyBehind(text: JsonText, mark: number): { readonly name: string; readonly value: number } | undefined {
  const { bytes } = text;
  const start = skipBlanks(bytes, mark + 1);
  const end = bytes[start] === QUOTE ? stringEnd(text, start + 1) : -1;
  if (end < 0) return undefined;
  const colon = skipBlanks(bytes, end);
  if (bytes[colon] !== COLON) return undefined;
  return { name: keyText(bytes, start + 1, end - 1), value: skipBlanks(bytes, colon + 1) };
}

/** -1: it is nested, or none at all. */
function valueEnd(text: JsonText, at: number): number {
  const { bytes } = text;
  const byte = bytes[at] as number;
  if (byte === QUOTE) return stringEnd(text, at + 1);
  return byte === MINUS || (byte >= ZERO && byte <= NINE) ? numberEnd(bytes, at) : wordEnd(bytes, at, byte);
}

/** Whether nothing is left behind the last value of a row but the end of the row and of the array. */
function isEnding(bytes: Uint8Array, at: number): boolean {
  const row = skipBlanks(bytes, at);
  const array = skipBlanks(bytes, row + 1);
  return bytes[row] === CLOSE_OBJECT && bytes[array] === CLOSE_ARRAY && skipBlanks(bytes, array + 1) === bytes.length;
}

/** False: they are too long for the memory. */
function placeLeads({ bytes: memory, words }: WasmModule, bytes: Uint8Array, { leads }: FirstRow): boolean {
  let at = LEADS + leads.length * PAIR_BYTES;
  for (const [i, [from, to]] of leads.entries()) {
    if (at + to - from > TEXT) return false;
    memory.set(bytes.subarray(from, to), at);
    const word = (LEADS + i * PAIR_BYTES) / 4;
    words[word] = at;
    words[word + 1] = to - from;
    at += to - from;
  }
  return true;
}

/** One for the process: a body is read in one go, and nothing of it stays. */
let one: WasmModule | 'none' | undefined;

function reader(): WasmModule | undefined {
  one ??= openWasm(WASM, 'read') ?? 'none';
  return one === 'none' ? undefined : one;
}
