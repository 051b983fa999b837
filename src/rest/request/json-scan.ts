// Looks through a JSON text without building it: is it well-formed, is it an object, an array of objects with one set of
// keys, or something else, and what are the keys? In: the bytes. Out: that, or what is wrong. What PostgreSQL makes of
// the values (`\u0000`, huge numbers, repeated keys) is its own business. Iterative, so depth costs no stack.

import { isUtf8 } from 'node:buffer';
import { RowKeys } from './json-row-keys.ts';
import { jsonText, numberEnd, skipBlanks, stringEnd, wordEnd } from './json-text.ts';

export type JsonScan =
  /** `keys`: each once, in the order of the (first) object; of too many to be columns of a table, the first ones. */
  | { readonly kind: 'object'; readonly keys: readonly string[]; readonly tooManyKeys?: true }
  | { readonly kind: 'array'; readonly keys: readonly string[]; readonly tooManyKeys?: true }
  /** A string, a number, true, false or null. */
  | { readonly kind: 'scalar' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'too-deep' }
  /** Well-formed, but an array whose elements are not all objects with the same keys. */
  | { readonly kind: 'keys-differ' };

/** PostgreSQL's own parser goes a few thousand levels deep on its default stack; nobody's rows do. */
export const DEEPEST_JSON = 1000;

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

const IN_ARRAY = 0;
const IN_OBJECT = 1;

// One for all: a text is looked through in one go, and a place is written before it is read.
const containers = new Uint8Array(DEEPEST_JSON + 1);

export function scanJson(bytes: Uint8Array): JsonScan {
  if (!isUtf8(bytes)) return { kind: 'invalid' };
  const size = bytes.length;
  const text = jsonText(bytes);
  const start = skipBlanks(bytes, 0);
  const first = bytes[start];
  const rows = first === OPEN_OBJECT || first === OPEN_ARRAY ? new RowKeys(text) : undefined;
  /** Depth at which the keys of rows stand. */
  const rowDepth = first === OPEN_ARRAY ? 2 : 1;
  let depth = 0;
  let inObject = false;
  let at = start;

  // Every round reads one value, or opens one container, and then closes what ends behind it.
  for (;;) {
    let opened = false;
    const byte = bytes[at] as number;
    if (depth === 1 && rowDepth === 2 && byte !== OPEN_OBJECT) rows?.notAnObject();
    if (byte === QUOTE) {
      at = stringEnd(text, at + 1);
      if (at < 0) return { kind: 'invalid' };
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (++depth > DEEPEST_JSON) return { kind: 'too-deep' };
      inObject = byte === OPEN_OBJECT;
      containers[depth] = inObject ? IN_OBJECT : IN_ARRAY;
      at = skipBlanks(bytes, at + 1);
      if (inObject && depth === rowDepth) rows?.beginRow();
      opened = bytes[at] !== (inObject ? CLOSE_OBJECT : CLOSE_ARRAY);
    } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
      at = numberEnd(bytes, at);
      if (at < 0) return { kind: 'invalid' };
    } else {
      at = wordEnd(bytes, at, byte);
      if (at < 0) return { kind: 'invalid' };
    }

    if (!opened) {
      // Close all that ends here; go on to the next element at the first comma.
      for (;;) {
        if (depth === 0) {
          if (skipBlanks(bytes, at) < size) return { kind: 'invalid' };
          if (rows === undefined) return { kind: 'scalar' };
          const keys = rows.keys();
          if (keys === undefined) return { kind: 'keys-differ' };
          return {
            kind: rowDepth === 2 ? 'array' : 'object',
            keys,
            ...(rows.tooMany ? { tooManyKeys: true as const } : {}),
          };
        }
        let next = bytes[at] as number;
        if (next <= SPACE) {
          at = skipBlanks(bytes, at);
          next = bytes[at] as number;
        }
        at++;
        if (next === COMMA) break;
        if (next !== (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) return { kind: 'invalid' };
        if (inObject && depth === rowDepth) rows?.endRow();
        inObject = containers[--depth] === IN_OBJECT;
      }
      if ((bytes[at] as number) <= SPACE) at = skipBlanks(bytes, at);
    }

    if (inObject) {
      if (bytes[at] !== QUOTE) return { kind: 'invalid' };
      at = depth === rowDepth && rows !== undefined ? rows.key(at + 1) : stringEnd(text, at + 1);
      if (at < 0) return { kind: 'invalid' };
      if (bytes[at] !== COLON) {
        at = skipBlanks(bytes, at);
        if (bytes[at] !== COLON) return { kind: 'invalid' };
      }
      at++;
      if ((bytes[at] as number) <= SPACE) at = skipBlanks(bytes, at);
    }
  }
}
