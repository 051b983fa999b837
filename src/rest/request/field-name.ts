// Names in parameters: of columns, embeds, hints, aliases, keys of JSON values. In: the cursor. Out: the name without
// its quotes, escapes and outer blanks. Any name can be written; what is not letters, digits, `_`, `$`, blanks and inner
// dashes has to be quoted.

import type { Cursor } from './cursor.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DASH = 0x2d;
const GREATER = 0x3e;

const LETTER = /^\p{L}$/u;

const ASCII_IDENTIFIER: Uint8Array = new Uint8Array(128);
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ $') {
  ASCII_IDENTIFIER[char.charCodeAt(0)] = 1;
}

const KEY_ENDS = '(-:.,>)';
const ASCII_KEY: Uint8Array = new Uint8Array(128).fill(1);
for (const char of `${KEY_ENDS}\0`) ASCII_KEY[char.charCodeAt(0)] = 0;

/** `name`, `two words`, `with-dash`, `"any.thing"`. */
export function fieldName(cursor: Cursor): string | undefined {
  const start = cursor.pos;
  const before = cursor.fresh();
  const name = cursor.code() === QUOTE ? quotedText(cursor, 'name') : dashed(cursor, identifier);
  cursor.label(start, before, 'field name (* or [a..z0..9_$])', name === undefined);
  return name;
}

/** A key behind an arrow: as a name, but everything is allowed that does not end it. */
export function jsonKeyName(cursor: Cursor): string | undefined {
  const start = cursor.pos;
  const before = cursor.fresh();
  const name = cursor.code() === QUOTE ? quotedText(cursor, 'name') : dashed(cursor, keyPart);
  cursor.label(start, before, 'any non reserved character different from: .,>()', name === undefined);
  return name;
}

/** Letters, digits, `_`, `$` and blanks, trimmed. Casts and languages are made of these and nothing else. */
export function identifier(cursor: Cursor): string | undefined {
  const { text, pos } = cursor;
  let end = pos;
  for (;;) {
    const width = identifierWidth(text, end);
    if (width === 0) break;
    end += width;
  }
  if (end > pos) cursor.take(end - pos);
  cursor.miss(LETTER_OR_DIGIT);
  return end > pos ? text.slice(pos, end).trim() : undefined;
}

const LETTER_OR_DIGIT: readonly string[] = ['letter', 'digit'];

/** Whether a name would go on here. */
export function identifierGoesOn(cursor: Cursor): boolean {
  return identifierWidth(cursor.text, cursor.pos) > 0;
}

/** Code units of the identifier character at `at`; 0 when there is none. */
function identifierWidth(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return ASCII_IDENTIFIER[code] as number;
  const point = text.codePointAt(at);
  if (point === undefined) return 0;
  const char = String.fromCodePoint(point);
  return LETTER.test(char) ? char.length : 0;
}

function keyPart(cursor: Cursor): string | undefined {
  const { text, pos } = cursor;
  let end = pos;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code < 128 && ASCII_KEY[code] === 0) break;
    end++;
  }
  if (end > pos) cursor.take(end - pos);
  cursor.miss([]);
  return end > pos ? text.slice(pos, end).trim() : undefined;
}

/** Parts with single dashes between; a dash that begins an arrow is not one of them. */
function dashed(cursor: Cursor, part: (cursor: Cursor) => string | undefined): string | undefined {
  let name = part(cursor);
  if (name === undefined) return undefined;
  while (dash(cursor)) {
    const next = part(cursor);
    if (next === undefined) return undefined;
    name = `${name}-${next}`;
    cursor.fresh();
  }
  return name;
}

function dash(cursor: Cursor): boolean {
  const { pos, err } = cursor;
  if (cursor.char(DASH) && cursor.notNext(GREATER)) return true;
  cursor.backtrack(pos, err);
  return false;
}

/**
 * Between double quotes, `\` before any character standing for it. In a name there is no NUL: PostgreSQL has none, and
 * names become part of a statement's text, which ends at one.
 */
export function quotedText(cursor: Cursor, use: 'name' | 'value'): string | undefined {
  if (!cursor.char(QUOTE)) return undefined;
  const { text } = cursor;
  let content = '';
  let from = cursor.pos;
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (at >= text.length || (code === 0 && use === 'name')) {
      if (at > cursor.pos) cursor.take(at - cursor.pos);
      cursor.miss(['"\\\\"', '"\\""']);
      return undefined;
    }
    if (code === BACKSLASH) {
      if (at + 1 >= text.length || (text.charCodeAt(at + 1) === 0 && use === 'name')) {
        cursor.take(at + 1 - cursor.pos);
        cursor.miss([]);
        return undefined;
      }
      content += text.slice(from, at);
      from = at + 1;
      at += 2;
    } else {
      at++;
    }
  }
  cursor.take(at + 1 - cursor.pos);
  return content + text.slice(from, at);
}
