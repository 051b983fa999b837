// The smallest parts of a JSON text, as bytes that are known to be UTF-8: where does the string, number or word end that
// begins here? -1 when it is none.

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
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

/** The bytes, and the same memory as aligned words; byte `i` is byte `base + i` of those. */
export type JsonText = { readonly bytes: Uint8Array; readonly words: Int32Array; readonly base: number };

export function jsonText(bytes: Uint8Array): JsonText {
  const words = new Int32Array(bytes.buffer, 0, bytes.buffer.byteLength >> 2);
  return { bytes, words, base: bytes.byteOffset };
}

/** The first place from here on that is no blank; in compact JSON that is here. */
export function skipBlanks(bytes: Uint8Array, from: number): number {
  return (bytes[from] as number) > SPACE ? from : behindBlanks(bytes, from);
}

function behindBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && BLANK[bytes[at] as number] === 1) at++;
  return at;
}

/** Behind the closing quote of the string whose first byte is at `from`; -1 when it is none. */
export function stringEnd(text: JsonText, from: number): number {
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

export function numberEnd(bytes: Uint8Array, from: number): number {
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

export function wordEnd(bytes: Uint8Array, from: number, first: number): number {
  const word = first === LETTER_N ? NULL : first === LETTER_T ? TRUE : first === LETTER_F ? FALSE : undefined;
  if (word === undefined || from + word.length > bytes.length) return -1;
  for (let i = 1; i < word.length; i++) if (bytes[from + i] !== word[i]) return -1;
  return from + word.length;
}
