// SQL text of a column's default → the JSON value a client would see, when the text is a plain literal.
// Anything the database computes (`now()`, `nextval(…)`, `'now'::text::date`, concatenations) is undefined: it is no value yet.

import type { JsonValue } from './json-text.ts';
import { elementType, jsonType } from './pg-type.ts';

// Names have 63 bytes; a bound of their length bounds the work on text that is none.
const NAME = String.raw`(?:[\p{L}_][\p{L}\p{N}_$]{0,62}|"(?:[^"]|""){1,63}")`;
const LONG_NAMES = String.raw`character varying|double precision|bit varying|time(?:stamp)?(?:\(\d\))? with(?:out)? time zone`;
const CAST = String.raw`(?:::(?:${LONG_NAMES}|${NAME}(?:\.${NAME})?)(?:\(\d+(?:,-?\d+)?\))?(?:\[\])*)?`;

const NUMERAL = new RegExp(String.raw`^\(?(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\)?${CAST}$`, 'iu');
const WORD = /^(?:true|false)$/;
const CONSTRUCTOR = /^\(?ARRAY\[/;
const AFTER_CONSTRUCTOR = new RegExp(String.raw`^\)?${CAST}$`, 'u');
const AFTER_QUOTES = new RegExp(`^${CAST}$`, 'u');

export function defaultValue(expression: string, type: string): JsonValue | undefined {
  const constructed = constructedItems(expression);
  if (constructed !== undefined) return valuesOfConstructor(constructed, type);
  const literal = literalText(expression);
  return literal === undefined ? undefined : jsonFromText(literal, type);
}

/** What stands between the brackets of `ARRAY[…]`, which strings and arrays within have as well. */
function constructedItems(expression: string): string | undefined {
  const start = CONSTRUCTOR.exec(expression)?.[0].length;
  if (start === undefined) return undefined;
  let depth = 1;
  let isInString = false;
  for (let at = start; at < expression.length; at += 1) {
    const sign = expression[at];
    // A quote in a string is doubled: it ends and begins again.
    if (sign === "'") isInString = !isInString;
    else if (isInString) continue;
    else if (sign === '[') depth += 1;
    else if (sign === ']') depth -= 1;
    if (depth === 0) return AFTER_CONSTRUCTOR.test(expression.slice(at + 1)) ? expression.slice(start, at) : undefined;
  }
  return undefined;
}

type Literal = { readonly text: string; readonly quoted: boolean };

function literalText(expression: string): Literal | undefined {
  const quoted = quotedText(expression);
  if (quoted !== undefined) return { text: quoted, quoted: true };
  const bare = NUMERAL.exec(expression)?.[1] ?? WORD.exec(expression)?.[0];
  return bare === undefined ? undefined : { text: bare, quoted: false };
}

/** Of `'it''s'::text`: `it's`. */
function quotedText(expression: string): string | undefined {
  const isEscaped = expression.startsWith("E'");
  if (!isEscaped && !expression.startsWith("'")) return undefined;
  const start = isEscaped ? 2 : 1;
  let end = expression.indexOf("'", start);
  while (end !== -1 && expression[end + 1] === "'") end = expression.indexOf("'", end + 2);
  if (end === -1 || !AFTER_QUOTES.test(expression.slice(end + 1))) return undefined;
  const text = expression.slice(start, end).replaceAll("''", "'");
  // pg_get_expr writes E'…' only to double backslashes.
  return isEscaped ? text.replaceAll('\\\\', '\\') : text;
}

function jsonFromText({ text, quoted }: Literal, type: string): JsonValue | undefined {
  switch (jsonType(type)) {
    case 'boolean':
      return text === 'true' || text === 't' ? true : text === 'false' || text === 'f' ? false : undefined;
    case 'integer':
      // Beyond this JavaScript would print another number than the database has.
      return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
    case 'number':
      return /^-?\d/.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'string':
      return quoted ? text : undefined;
    case 'array':
      return quoted ? valuesOfBraces(text, elementType(type) ?? 'text') : undefined;
    default:
      return quoted ? parsedJson(text) : undefined;
  }
}

function parsedJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

const BRACED_ELEMENT = /(?:\s*"((?:[^"\\]|\\.)*)"\s*|([^",{}\\]+))(,|$)/suy;

/** `{a,"b c",NULL}`: one dimension, which is what defaults are. */
function valuesOfBraces(text: string, type: string): JsonValue | undefined {
  const braced = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1];
  if (braced === undefined) return undefined;
  const values: JsonValue[] = [];
  if (braced.trim() === '') return values;
  BRACED_ELEMENT.lastIndex = 0;
  for (;;) {
    const [, quoted, unquoted, separator] = BRACED_ELEMENT.exec(braced) ?? [];
    const bare = unquoted?.trim();
    const value =
      quoted !== undefined
        ? jsonFromText({ text: quoted.replace(/\\(.)/gs, '$1'), quoted: true }, type)
        : bare === undefined || bare === ''
          ? undefined
          : bare.toUpperCase() === 'NULL'
            ? null
            : jsonFromText({ text: bare, quoted: true }, type);
    if (value === undefined) return undefined;
    values.push(value);
    if (separator !== ',') return values;
  }
}

/** What stands between the brackets of `ARRAY['a'::text, 'b'::text]`. */
function valuesOfConstructor(inside: string, type: string): JsonValue | undefined {
  const element = elementType(type);
  if (element === undefined) return undefined;
  const values: JsonValue[] = [];
  if (inside.trim() === '') return values;
  for (const part of inside.match(/(?:'(?:[^']|'')*'|[^,'])+/g) ?? []) {
    const value = defaultValue(part.trim(), element);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}
