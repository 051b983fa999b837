// Where the parts of a JSON text begin and end, without building it: members of an object, elements of an array. The text is known to
// be well-formed (`scanJson`). Slices keep what parsing would lose: the digits of large numbers.

import { jsonText, skipBlanks, stringEnd } from './json-text.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export type Slice = { readonly start: number; readonly end: number };
type MemberSlice = Slice & { readonly key: string };

/** Behind the value that begins at `from`. */
function valueEnd(bytes: Uint8Array, from: number): number {
  const text = jsonText(bytes);
  let depth = 0;
  let at = from;
  do {
    const byte = bytes[at];
    if (byte === QUOTE) at = stringEnd(text, at + 1);
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth++;
      at++;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth--;
      at++;
    } else at = depth === 0 ? scalarEnd(bytes, at) : at + 1;
  } while (depth > 0 && at >= 0 && at < bytes.length);
  if (depth > 0 || at < 0) throw new Error('slices are of JSON that is known to be well-formed');
  return at;
}

function scalarEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte <= 0x20 || byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) break;
    at++;
  }
  return at;
}

/** Of the array that begins at `from`. */
export function* elementsOf(bytes: Uint8Array, from: number): Generator<Slice> {
  let at = skipBlanks(bytes, from + 1);
  while (bytes[at] !== CLOSE_ARRAY) {
    const end = valueEnd(bytes, at);
    yield { start: at, end };
    at = skipBlanks(bytes, end);
    if (bytes[at] === COMMA) at = skipBlanks(bytes, at + 1);
  }
}

/** Of the object that begins at `from`, in order; a repeated key comes repeatedly. */
export function* membersOf(bytes: Uint8Array, from: number): Generator<MemberSlice> {
  const text = jsonText(bytes);
  let at = skipBlanks(bytes, from + 1);
  while (bytes[at] !== CLOSE_OBJECT) {
    const keyEnd = stringEnd(text, at + 1);
    const key = stringOf(bytes, { start: at, end: keyEnd });
    // Behind the colon.
    const start = skipBlanks(bytes, skipBlanks(bytes, keyEnd) + 1);
    const end = valueEnd(bytes, start);
    yield { key, start, end };
    at = skipBlanks(bytes, end);
    if (bytes[at] === COMMA) at = skipBlanks(bytes, at + 1);
  }
}

export function kindOf(bytes: Uint8Array, { start }: Slice): 'object' | 'array' | 'string' | 'other' {
  switch (bytes[start]) {
    case OPEN_OBJECT:
      return 'object';
    case OPEN_ARRAY:
      return 'array';
    case QUOTE:
      return 'string';
    default:
      return 'other';
  }
}

function textOf(bytes: Uint8Array, { start, end }: Slice): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}

/** A string without its quotes and escapes. */
export function stringOf(bytes: Uint8Array, slice: Slice): string {
  const text = textOf(bytes, slice);
  return text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1);
}
