// A value between the parentheses of a call: `"quoted, with \" in it"`, or text up to the comma or parenthesis that ends it, where those
// inside brackets of its own do not count, so that WKT, GeoJSON and arrays need no quotes. One walk over the text.

import type { Cursor } from './cursor.ts';
import { quotedText } from './field-name.ts';

/** A parameter's value goes to its end, as it is; inside a group it ends at `,` or `)` and may be quoted. */
export type ValuePlace = 'parameter' | 'group';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x28, 0x5b, 0x7b]);
const CLOSING = new Set([0x29, 0x5d, 0x7d]);

export function argumentText(cursor: Cursor): string | undefined {
  if (cursor.code() === QUOTE) return quotedText(cursor, 'value');
  const { text, pos } = cursor;
  let depth = 0;
  let at = pos;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (depth > 0 && code === QUOTE) {
      at = endOfQuoted(text, at + 1);
      continue;
    }
    if (OPENING.has(code)) depth++;
    else if (CLOSING.has(code) && depth-- === 0) break;
    else if (code === COMMA && depth === 0) break;
    at++;
  }
  if (at > pos) cursor.take(at - pos);
  return text.slice(pos, at).trim();
}

function endOfQuoted(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}
