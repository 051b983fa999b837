// JSON whose numbers keep their digits. JavaScript's numbers have 53 bits, and columns of type bigint or numeric have more: read as a number,
// 9007199254740993 would be written as …992, and 1e400 as null.

import { randomBytes } from 'node:crypto';

/** No client can send a text that begins with it. */
const MARK = `#${randomBytes(9).toString('base64url')}#`;

/** Sixteen digits and points, or an exponent of three digits: whether there may be a number that JavaScript does not have. */
const MAY_BE_LONG = /[\d.]{16}|\d[eE][+-]?\d{3}/;

export function hasLongNumbers(json: string): boolean {
  return MAY_BE_LONG.test(json);
}

/** Of text that is known to be JSON. Long numbers are texts by which `writeExact` knows them, and nothing to compute with. */
export function parseExact(json: string): unknown {
  return JSON.parse(markLongNumbers(json));
}

/** A list or an object as JavaScript has it → the same as `parseExact` reads it. */
const exactForms = new WeakMap<object, unknown>();

/** `plain` is for who computes with its numbers; of any list or object in it, `writeWithDigits` knows how it was sent. */
export function rememberDigits(plain: unknown, exact: unknown): void {
  const left: (readonly [unknown, unknown])[] = [[plain, exact]];
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const [one, form] = pair;
    if (typeof one !== 'object' || one === null) continue;
    exactForms.set(one, form);
    for (const [key, inner] of Object.entries(one)) left.push([inner, (form as Record<string, unknown>)[key]]);
  }
}

/** What has been changed since it was read loses its change: only for what is stored as it came. */
export function writeWithDigits(value: unknown): string {
  const exact = typeof value === 'object' && value !== null ? exactForms.get(value) : undefined;
  return exact === undefined ? JSON.stringify(value) : writeExact(exact);
}

export function writeExact(value: unknown): string {
  const [first = '', ...others] = JSON.stringify(value).split(`"${MARK}`);
  return first + others.map((part) => part.replace('"', '')).join('');
}

/** The digits of a long number that `parseExact` has read; undefined: it is none. */
export function exactDigits(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : undefined;
}

/** A value of `parseExact` for people to read: texts as they are, nothing for null, JSON of lists and objects. */
export function exactText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? writeExact(value) : (exactDigits(value) ?? String(value));
}

/** With long numbers as JavaScript has them, for what is computed with: coordinates. */
export function asPlainNumbers(value: unknown): unknown {
  const digits = exactDigits(value);
  if (digits !== undefined) return Number(digits);
  if (Array.isArray(value)) return value.map(asPlainNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asPlainNumbers(inner)]));
}

/** A numeral in its usual spelling where JavaScript has the number, and as it was written where it has not. */
export function exactNumeral(numeral: string): string {
  return isLong(numeral) ? numeral : String(Number(numeral));
}

/** One pass: strings are stepped over, numbers looked at. */
function markLongNumbers(json: string): string {
  const parts: string[] = [];
  let done = 0;
  for (let at = 0; at < json.length; ) {
    if (json[at] === '"') {
      at = endOfString(json, at);
      continue;
    }
    if (!isNumberStart(json.charCodeAt(at))) {
      at += 1;
      continue;
    }
    const end = endOfNumber(json, at);
    const number = json.slice(at, end);
    if (isLong(number)) {
      parts.push(json.slice(done, at), `"${MARK}${number}"`);
      done = end;
    }
    at = end;
  }
  return parts.join('') + json.slice(done);
}

function isNumberStart(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2d;
}

function endOfNumber(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && !isBetween(json.charCodeAt(at))) at += 1;
  return at;
}

/** What stands behind a value in JSON: a comma, a closing bracket, white space. */
function isBetween(code: number): boolean {
  return code === 0x2c || code === 0x5d || code === 0x7d || code <= 0x20;
}

/** Behind the quotation mark that ends the string beginning at `start`. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    if (json[at] === '\\') at += 1;
    else if (json[at] === '"') return at + 1;
  }
  return json.length;
}

/** Fifteen digits are the same number in decimal and in binary, unless it is too large or too small. */
function isLong(number: string): boolean {
  // An exponent of less than three digits is neither.
  if (number.length < 16 && (number.length < 5 || !/[eE][+-]?\d{3}/.test(number))) return false;
  const [digits = ''] = number.split(/[eE]/, 1);
  if (digits.replace(/\D/g, '').length > 15) return true;
  const value = Number(number);
  return !Number.isFinite(value) || (value === 0 && /[1-9]/.test(digits));
}
