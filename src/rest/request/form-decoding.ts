// Percent- and form-encoded text to plain text. Nothing here throws: a `%` that is no escape stands for itself, and
// bytes that are no UTF-8 become U+FFFD.

import { isUtf8 } from 'node:buffer';

const NOT_ASCII = /[^\0-\x7f]/;
const BEYOND_BYTE = /[^\0-\xff]/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const PERCENT = 0x25;
const PLUS = 0x2b;

/** One name or value of a query or form: `+` is a space. */
export function decodeFormComponent(text: string): string {
  let hasPlus = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === PERCENT || code > 0x7f) return decodePercent(text.replaceAll('+', ' '));
    if (code === PLUS) hasPlus = true;
  }
  return hasPlus ? text.replaceAll('+', ' ') : text;
}

/** One segment of a path: `+` is a plus. */
export function decodePathSegment(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === PERCENT || code > 0x7f) return decodePercent(text);
  }
  return text;
}

function decodePercent(text: string): string {
  if (NOT_ASCII.test(text)) return decodeBytes(text);
  try {
    return decodeURIComponent(text);
  } catch {
    return unescapeBytes(Buffer.from(text, 'latin1')).toString('utf8');
  }
}

// Bytes above 127 that a client did not escape reach us as one code unit each, the way Node reads a request line.
function decodeBytes(text: string): string {
  if (!BEYOND_BYTE.test(text)) {
    const bytes = unescapeBytes(Buffer.from(text, 'latin1'));
    if (isUtf8(bytes)) return bytes.toString('utf8');
  }
  return unescapeBytes(Buffer.from(text, 'utf8')).toString('utf8');
}

function unescapeBytes(raw: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(raw.length);
  let length = 0;
  for (let i = 0; i < raw.length; i++) {
    const byte = raw[i] as number;
    const high = byte === PERCENT ? hexDigit(raw[i + 1]) : -1;
    const low = high < 0 ? -1 : hexDigit(raw[i + 2]);
    if (low < 0) {
      bytes[length++] = byte;
    } else {
      bytes[length++] = high * 16 + low;
      i += 2;
    }
  }
  return bytes.subarray(0, length);
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** The fields of a form body, in order; a field without `=` has an empty value, an empty one is no field. */
export function parseFormFields(text: string): [name: string, value: string][] {
  const fields: [string, string][] = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    if (equals < 0) fields.push([decodeFormComponent(pair), '']);
    else fields.push([decodeFormComponent(pair.slice(0, equals)), decodeFormComponent(pair.slice(equals + 1))]);
  }
  return fields;
}

const NOTHING_TO_ESCAPE = /^[A-Za-z0-9._~-]*$/;

/** Everything but letters, digits and `-_.~` escaped: safe in any part of a URL. */
export function encodeUrlComponent(text: string): string {
  if (NOTHING_TO_ESCAPE.test(text)) return text;
  return encodeURIComponent(wellFormed(text)).replace(/[!'()*]/g, encodeAscii);
}

/** Half a surrogate pair cannot be encoded; the way through UTF-8 makes it U+FFFD. */
function wellFormed(text: string): string {
  return LONE_SURROGATE.test(text) ? Buffer.from(text, 'utf8').toString('utf8') : text;
}

function encodeAscii(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}
