// `created_at.trunc(month)`, `price.bucket(10)`, `name.lower()`: functions of a column's value, from a closed list. In: the cursor behind
// a column. Out: the calls. What a client writes between the parentheses is a word of a closed list, a name of letters and digits, a
// number, or a value, which goes into a slot.

import type { CallArgument, ColumnCall, ColumnFunction } from './api-request.ts';
import { argumentText } from './call-argument.ts';
import type { Cursor } from './cursor.ts';
import { geometryValue } from './geometry-value.ts';

const COMMA = 0x2c;
const CLOSE = 0x29;
const DOT = 0x2e;

/** What an argument is read as; `?` behind it: it may be left out. */
type ArgumentKind =
  | 'unit'
  | 'part'
  | 'zone?'
  | 'width'
  | 'digits?'
  | 'text'
  | 'language?'
  | 'srid'
  | 'tolerance'
  | 'geometry';

const FUNCTIONS: Readonly<Record<ColumnFunction, readonly ArgumentKind[]>> = {
  trunc: ['unit', 'zone?'],
  part: ['part', 'zone?'],
  bucket: ['width'],
  round: ['digits?'],
  floor: [],
  ceil: [],
  abs: [],
  lower: [],
  upper: [],
  length: [],
  ts_rank: ['text', 'language?'],
  ts_rank_cd: ['text', 'language?'],
  ts_headline: ['text', 'language?'],
  similarity: ['text'],
  word_similarity: ['text'],
  trgm_distance: ['text'],
  l2_distance: ['text'],
  cosine_distance: ['text'],
  inner_product: ['text'],
  st_area: [],
  st_length: [],
  st_perimeter: [],
  st_centroid: [],
  st_envelope: [],
  st_simplify: ['tolerance'],
  st_transform: ['srid'],
  st_x: [],
  st_y: [],
  st_astext: [],
  st_asgeojson: ['digits?'],
  st_distance: ['geometry'],
  nearest: ['geometry'],
};

const UNITS = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year', 'decade', 'century'];
const PARTS = [...UNITS, 'dow', 'isodow', 'doy', 'isoyear', 'second'];

/** `.name(…)` again and again, as long as it is one of these. Undefined: one began and is wrong. */
export function columnCalls(cursor: Cursor): readonly ColumnCall[] | undefined {
  let calls: ColumnCall[] | undefined;
  for (;;) {
    const name = callHead(cursor);
    if (name === undefined) return calls ?? NO_CALLS;
    const args = callArguments(cursor, FUNCTIONS[name]);
    if (args === undefined) return undefined;
    calls ??= [];
    calls.push({ name, args });
    if (!cursor.within('columnCalls', calls.length)) return undefined;
    cursor.fresh();
  }
}

const NO_CALLS: readonly ColumnCall[] = [];
const NAME = /[a-z][a-z0-9_]*(?=\()/y;

/** `.name(` of a function that is known; nothing is consumed otherwise. */
function callHead(cursor: Cursor): ColumnFunction | undefined {
  if (cursor.code() !== DOT) return undefined;
  NAME.lastIndex = cursor.pos + 1;
  const name = NAME.exec(cursor.text)?.[0];
  if (name === undefined || !isFunction(name)) return undefined;
  cursor.take(name.length + 2);
  return name;
}

function isFunction(name: string): name is ColumnFunction {
  return Object.hasOwn(FUNCTIONS, name);
}

function callArguments(cursor: Cursor, kinds: readonly ArgumentKind[]): readonly CallArgument[] | undefined {
  const args: CallArgument[] = [];
  for (const kind of kinds) {
    cursor.blanks();
    if (kind.endsWith('?') && cursor.code() === CLOSE) break;
    if (args.length > 0 && !cursor.padded(COMMA)) return undefined;
    const arg = argument(cursor, kind);
    if (arg === undefined) return undefined;
    args.push(arg);
  }
  cursor.blanks();
  return cursor.char(CLOSE) ? args : undefined;
}

function argument(cursor: Cursor, kind: ArgumentKind): CallArgument | undefined {
  switch (kind) {
    case 'unit':
      return word(cursor, UNITS, 'unit of time (minute, hour, day, week, month, quarter, year, decade, century)');
    case 'part':
      return word(cursor, PARTS, 'part of a time (year, month, day, dow, hour, ...)');
    case 'width':
      return checked(cursor, 'a width above 0', NUMBER, (text) =>
        Number(text) > 0 ? { kind: 'number', number: text } : undefined,
      );
    case 'digits?':
      return checked(cursor, 'a number of digits', DIGITS, (text) => ({ kind: 'number', number: text }));
    case 'tolerance':
      return checked(cursor, 'a distance', NUMBER, (text) => ({ kind: 'number', number: text }));
    case 'srid':
      return checked(cursor, 'the number of a coordinate system', SRID, (text) => ({ kind: 'number', number: text }));
    case 'language?':
      return checked(cursor, 'a language', LANGUAGE, (text) => ({ kind: 'word', word: text }));
    case 'text':
      return checked(cursor, 'a text', ANYTHING, (text) => ({ kind: 'value', value: cursor.values.push(text) - 1 }));
    case 'geometry':
      return checked(cursor, 'a geometry as WKT or GeoJSON', ANYTHING, (text) => ({
        kind: 'geometry',
        geometry: geometryValue(text, cursor.values),
      }));
    case 'zone?':
      return checked(cursor, 'a time zone', ZONE, (text) => ({ kind: 'word', word: text }));
  }
}

const NUMBER = /^\d{1,18}(?:\.\d{1,18})?$/;
const DIGITS = /^-?\d{1,3}$/;
const SRID = /^\d{1,6}$/;
const LANGUAGE = /^[\p{L}0-9_$]{1,63}$/u;
const ANYTHING = /./s;
const ZONE = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

function word(cursor: Cursor, words: readonly string[], wanted: string): CallArgument | undefined {
  const { pos } = cursor;
  const found = words.find(
    (one) => cursor.text.startsWith(one, pos) && !/[a-z]/.test(cursor.text[pos + one.length] ?? ''),
  );
  if (found === undefined) {
    cursor.miss([wanted]);
    return undefined;
  }
  cursor.take(found.length);
  return { kind: 'word', word: found };
}

function checked(
  cursor: Cursor,
  wanted: string,
  pattern: RegExp,
  make: (text: string) => CallArgument | undefined,
): CallArgument | undefined {
  const { pos } = cursor;
  const text = argumentText(cursor);
  const made = text !== undefined && pattern.test(text) ? make(text) : undefined;
  if (made === undefined) {
    cursor.pos = pos;
    cursor.miss([wanted]);
  }
  return made;
}
