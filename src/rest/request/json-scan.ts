// Looks through a JSON text without building it: is it well-formed, is it an object, an array of objects with one set of
// keys, or something else, and what are the keys? In: the bytes. Out: that, or what is wrong. What PostgreSQL makes of
// the values (`\u0000`, huge numbers, repeated keys) is its own business.
//
// Iterative, so depth costs no stack; rows that have the first row's keys in the first row's order, which is all rows
// of nearly every client, are compared byte by byte and allocate nothing.

import { isUtf8 } from 'node:buffer';

export type JsonScan =
  /** `keys`: each once, in the order of the (first) object. */
  | { readonly kind: 'object'; readonly keys: readonly string[] }
  | { readonly kind: 'array'; readonly keys: readonly string[] }
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
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_F = 0x66;
const LETTER_N = 0x6e;
const LETTER_T = 0x74;
const LETTER_U = 0x75;

/** 1: may stand in a string as it is. Bytes above 127 may, once the whole is known to be UTF-8. */
const PLAIN: Uint8Array = new Uint8Array(256).fill(1);
PLAIN.fill(0, 0, SPACE);
PLAIN[QUOTE] = 0;
PLAIN[BACKSLASH] = 0;

const ESCAPED: Uint8Array = new Uint8Array(256);
for (const char of '"\\/bfnrt') ESCAPED[char.charCodeAt(0)] = 1;

const HEX: Uint8Array = new Uint8Array(256);
for (const char of '0123456789abcdefABCDEF') HEX[char.charCodeAt(0)] = 1;

const BLANK: Uint8Array = new Uint8Array(256);
for (const char of ' \t\n\r') BLANK[char.charCodeAt(0)] = 1;

const TRUE: Uint8Array = Buffer.from('true');
const FALSE: Uint8Array = Buffer.from('false');
const NULL: Uint8Array = Buffer.from('null');

const IN_ARRAY = 0;
const IN_OBJECT = 1;

/** The bytes, and the same memory as aligned words; byte `i` is byte `base + i` of those. */
type JsonText = { readonly bytes: Uint8Array; readonly words: Int32Array; readonly base: number };

export function scanJson(bytes: Uint8Array): JsonScan {
  if (!isUtf8(bytes)) return { kind: 'invalid' };
  const size = bytes.length;
  const words = new Int32Array(bytes.buffer, 0, bytes.buffer.byteLength >> 2);
  const text: JsonText = { bytes, words, base: bytes.byteOffset };
  const start = skipBlanks(bytes, 0);
  const first = bytes[start];
  const rows = first === OPEN_OBJECT || first === OPEN_ARRAY ? new RowKeys(text) : undefined;
  /** Depth at which the keys of rows stand. */
  const rowDepth = first === OPEN_ARRAY ? 2 : 1;
  const containers = new Uint8Array(DEEPEST_JSON + 1);
  let depth = 0;
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
      containers[depth] = byte === OPEN_OBJECT ? IN_OBJECT : IN_ARRAY;
      at = skipBlanks(bytes, at + 1);
      if (byte === OPEN_OBJECT && depth === rowDepth) rows?.beginRow();
      opened = bytes[at] !== (byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY);
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
        at = skipBlanks(bytes, at);
        if (depth === 0) {
          if (at < size) return { kind: 'invalid' };
          return rows === undefined ? { kind: 'scalar' } : rows.result(rowDepth === 2);
        }
        const next = bytes[at];
        if (next === COMMA) {
          at = skipBlanks(bytes, at + 1);
          break;
        }
        const inObject = containers[depth] === IN_OBJECT;
        if (next !== (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) return { kind: 'invalid' };
        if (inObject && depth === rowDepth) rows?.endRow();
        depth--;
        at++;
      }
    }

    if (containers[depth] === IN_OBJECT) {
      if (bytes[at] !== QUOTE) return { kind: 'invalid' };
      const end = depth === rowDepth && rows !== undefined ? rows.key(at + 1) : stringEnd(text, at + 1);
      if (end < 0) return { kind: 'invalid' };
      at = skipBlanks(bytes, end);
      if (bytes[at] !== COLON) return { kind: 'invalid' };
      at = skipBlanks(bytes, at + 1);
    }
  }
}

/** Gathers the keys of the first row and holds the others against them. */
class RowKeys {
  private readonly text: JsonText;
  private readonly bytes: Uint8Array;
  /** Of the first row, by place: where the key's bytes are, and which of `names` it is. */
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly nameOf: number[] = [];
  private readonly names = new Map<string, number>();
  private row = 0;
  /** Place of the next key as long as the row follows the first one's order, -1 when it left it. */
  private place = 0;
  /** By name: the last row that had it; used only by rows that left the order. */
  private lastSeen: Int32Array = new Int32Array(0);
  private seen = 0;
  private differ = false;

  constructor(text: JsonText) {
    this.text = text;
    this.bytes = text.bytes;
  }

  beginRow(): void {
    this.row++;
    this.place = 0;
    if (this.row === 2) this.lastSeen = new Int32Array(this.names.size);
  }

  /** Reads a key whose first byte is at `at`; where it ends, or -1. */
  key(at: number): number {
    if (this.row > 1 && this.place >= 0) {
      const end = this.sameKey(at, this.place);
      if (end > 0) {
        this.place++;
        return end;
      }
      this.leaveOrder();
    }
    const end = stringEnd(this.text, at);
    if (end > 0 && !this.differ) this.take(at, end - 1);
    return end;
  }

  endRow(): void {
    if (this.row <= 1 || this.differ) return;
    if (this.place === this.starts.length) return;
    this.leaveOrder();
    if (this.seen !== this.names.size) this.differ = true;
  }

  notAnObject(): void {
    this.differ = true;
  }

  result(isArray: boolean): JsonScan {
    if (this.differ) return { kind: 'keys-differ' };
    return { kind: isArray ? 'array' : 'object', keys: [...this.names.keys()] };
  }

  private sameKey(at: number, place: number): number {
    const { bytes } = this;
    const start = this.starts[place];
    if (start === undefined) return -1;
    const end = this.ends[place] as number;
    let here = at;
    for (let there = start; there < end; there++, here++) {
      if (bytes[here] !== bytes[there]) return -1;
    }
    return bytes[here] === QUOTE ? here + 1 : -1;
  }

  /** From here on the row's keys are counted by name. */
  private leaveOrder(): void {
    if (this.place < 0) return;
    const followed = this.place;
    this.place = -1;
    this.seen = 0;
    for (let place = 0; place < followed; place++) this.count(this.nameOf[place] as number);
  }

  private take(start: number, end: number): void {
    const name = keyText(this.bytes, start, end);
    const index = this.names.get(name);
    if (this.row > 1) {
      if (index === undefined) this.differ = true;
      else this.count(index);
      return;
    }
    this.starts.push(start);
    this.ends.push(end);
    this.nameOf.push(index ?? this.names.size);
    if (index === undefined) this.names.set(name, this.names.size);
  }

  private count(index: number): void {
    if (this.lastSeen[index] === this.row) return;
    this.lastSeen[index] = this.row;
    this.seen++;
  }
}

function keyText(bytes: Uint8Array, start: number, end: number): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
  return text.includes('\\') ? String(JSON.parse(`"${text}"`)) : text;
}

/** The first place from here on that is no blank; in compact JSON that is here. */
function skipBlanks(bytes: Uint8Array, from: number): number {
  return (bytes[from] as number) > SPACE ? from : behindBlanks(bytes, from);
}

function behindBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && BLANK[bytes[at] as number] === 1) at++;
  return at;
}

/** Behind the closing quote of the string whose first byte is at `from`; -1 when it is none. */
function stringEnd(text: JsonText, from: number): number {
  const { bytes } = text;
  let at = from;
  for (;;) {
    at = behindPlain(text, at);
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte !== BACKSLASH) return -1;
    const escaped = bytes[at + 1] as number;
    if (ESCAPED[escaped] === 1) {
      at += 2;
    } else if (escaped === LETTER_U && isHex(bytes, at + 2)) {
      at += 6;
    } else {
      return -1;
    }
  }
}

/**
 * The first byte from here on that may not stand in a string as it is. Long strings are looked through four bytes at a
 * time: of the three sums, each has a high bit set exactly when a byte is below 0x20, a quote or a backslash. Six times
 * the speed of single bytes.
 */
function behindPlain({ bytes, words, base }: JsonText, from: number): number {
  const size = bytes.length;
  let at = from;
  while (at < size && ((base + at) & 3) !== 0) {
    if (PLAIN[bytes[at] as number] === 0) return at;
    at++;
  }
  let word = (base + at) >> 2;
  for (const last = (base + size) >> 2; word < last; word++) {
    const four = words[word] as number;
    const quotes = four ^ 0x22222222;
    const slashes = four ^ 0x5c5c5c5c;
    const found =
      ((four - 0x20202020) & ~four) | ((quotes - 0x01010101) & ~quotes) | ((slashes - 0x01010101) & ~slashes);
    if ((found & 0x80808080) !== 0) break;
  }
  // Inside the last word, or behind it, byte by byte again.
  at = Math.max(at, word * 4 - base);
  while (at < size && PLAIN[bytes[at] as number] === 1) at++;
  return at;
}

function isHex(bytes: Uint8Array, at: number): boolean {
  for (let i = at; i < at + 4; i++) if (HEX[bytes[i] as number] !== 1) return false;
  return true;
}

function numberEnd(bytes: Uint8Array, from: number): number {
  let at = bytes[from] === MINUS ? from + 1 : from;
  if (bytes[at] === ZERO) at++;
  else at = digitsEnd(bytes, at);
  if (at > 0 && bytes[at] === DOT) at = digitsEnd(bytes, at + 1);
  if (at > 0 && ((bytes[at] as number) | 0x20) === 0x65) {
    const sign = bytes[at + 1];
    at = digitsEnd(bytes, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
  }
  return at;
}

/** Behind one or more digits; -1 when there is none. */
function digitsEnd(bytes: Uint8Array, from: number): number {
  const size = bytes.length;
  let at = from;
  // One comparison for both ends of the range.
  while (at < size && (((bytes[at] as number) - ZERO) & 0xff) <= 9) at++;
  return at > from ? at : -1;
}

function wordEnd(bytes: Uint8Array, from: number, first: number): number {
  const word = first === LETTER_N ? NULL : first === LETTER_T ? TRUE : first === LETTER_F ? FALSE : undefined;
  if (word === undefined || from + word.length > bytes.length) return -1;
  for (let i = 1; i < word.length; i++) if (bytes[from + i] !== word[i]) return -1;
  return from + word.length;
}
