// One value of a body → what the database is given, or messages in the words clients know. Text is taken for other types where it
// reads like them, because forms send nothing else.

import { parseDecimal } from '../../../kernel/decimal.ts';
import { hasLongNumbers, parseExact, rememberDigits, writeWithDigits } from '../../../kernel/exact-numbers.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { Field, FieldType } from '../../fields/field.ts';
import type { Lookup } from '../../fields/lookup.ts';
import { parseMoment } from '../../fields/moment.ts';
import { MESSAGES } from '../../query/filter-value.ts';
import { isMembers, kindOf } from './body-forms.ts';
import type { Given, Reference } from './draft.ts';
import { isTooDeep } from './json-depth.ts';
import { parsePolygon } from './polygon.ts';

export const REQUIRED = 'This field is required.';
const NOT_NULL = 'This field may not be null.';
const NOT_BLANK = 'This field may not be blank.';

const MAX_REFERENCES = 1000;

export function parseValue(field: Field, value: unknown): Result<Given, string> {
  const { write } = field;
  if (write.kind === 'references' || write.kind === 'names')
    return parseReferences(value, write.to, write.kind === 'names');
  if (value === null || value === undefined) return parseNull(field);
  if (write.kind === 'reference') {
    const to = parseReference(value, write.to, false);
    return to === undefined
      ? err(`Incorrect type. Expected an id, but got ${kindOf(value)}.`)
      : ok({ kind: 'reference', to });
  }
  const text = parseText(field.type, value, field.nullable);
  return text.ok ? ok({ kind: 'value', text: text.value }) : text;
}

function parseNull({ write, nullable }: Field): Result<Given, string> {
  if (write.kind === 'column' && write.nullAs !== undefined) return ok({ kind: 'value', text: write.nullAs });
  if (!nullable) return err(NOT_NULL);
  return write.kind === 'reference' ? ok({ kind: 'reference', to: null }) : ok({ kind: 'value', text: null });
}

/** As text for the database; null where a blank means nothing. */
function parseText(type: FieldType, value: unknown, nullable: boolean): Result<string | null, string> {
  switch (type.kind) {
    case 'text':
      return parseString(type, value, nullable);
    case 'integer':
    case 'digits':
      return parseInteger(value, type.kind === 'integer' ? type : {});
    case 'number':
      return parseNumber(value, type);
    case 'boolean':
      return parseBoolean(value);
    case 'datetime': {
      if (value === '' && nullable) return ok(null);
      const moment = typeof value === 'string' ? parseMoment(value) : undefined;
      return moment === undefined ? err(MESSAGES.datetime) : ok(moment);
    }
    case 'uuid':
      return typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
        ? ok(value)
        : err(MESSAGES.uuid);
    case 'choice':
      if (value === '' && nullable) return ok(null);
      return typeof value === 'string' && type.choices.includes(value)
        ? ok(value)
        : err(`"${shown(value)}" is not a valid choice.`);
    case 'geometry': {
      const polygon = parsePolygon(typeof value === 'string' ? parsedJson(value) : value);
      return polygon === undefined ? err('Enter a GeoJSON polygon or multipolygon.') : ok(polygon);
    }
    case 'json':
      return parseJson(value, type.isList === true);
    case 'words':
    case 'one':
    case 'many':
      return err('This field cannot be written.');
  }
}

function parseString(
  type: FieldType & { kind: 'text' },
  value: unknown,
  nullable: boolean,
): Result<string | null, string> {
  if (typeof value !== 'string' && typeof value !== 'number') return err('Not a valid string.');
  const text = String(value).trim();
  if (text.includes('\0')) return err('Null characters are not allowed.');
  // Half a character has no place in UTF-8: it would be stored as another one.
  if (/\p{Surrogate}/u.test(text)) return err('Not a valid string.');
  if (text === '' && type.blank !== true) return nullable ? ok(null) : err(NOT_BLANK);
  // Counted as the database counts: by characters, not by halves of them.
  if (type.max !== undefined && text.length > type.max && [...text].length > type.max) {
    return err(`Ensure this field has no more than ${type.max} characters.`);
  }
  if (type.pattern !== undefined && !type.pattern.regex.test(text)) return err(type.pattern.complaint);
  return ok(text);
}

type Bounds = { readonly min?: number; readonly max?: number };

function parseInteger(value: unknown, bounds: Bounds): Result<string, string> {
  const number = typeof value === 'string' && /^\s*[+-]?\d{1,10}\s*$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) return err(MESSAGES.integer);
  return inBounds(number, { min: bounds.min ?? -2_147_483_648, max: bounds.max ?? 2_147_483_647 });
}

function parseNumber(value: unknown, bounds: Bounds): Result<string, string> {
  const number = typeof value === 'string' ? parseDecimal(value.trim()) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return err(MESSAGES.number);
  return inBounds(number, bounds);
}

function inBounds(number: number, { min, max }: Bounds): Result<string, string> {
  if (min !== undefined && number < min) return err(`Ensure this value is greater than or equal to ${min}.`);
  if (max !== undefined && number > max) return err(`Ensure this value is less than or equal to ${max}.`);
  return ok(String(number));
}

function parseBoolean(value: unknown): Result<string, string> {
  if (value === true || value === 1 || (typeof value === 'string' && /^(?:true|t|1|yes|on)$/i.test(value)))
    return ok('true');
  if (value === false || value === 0 || (typeof value === 'string' && /^(?:false|f|0|no|off)$/i.test(value)))
    return ok('false');
  return err('Must be a valid boolean.');
}

/** JSON, or JSON as text. */
function parseJson(value: unknown, isList: boolean): Result<string, string> {
  const document = typeof value === 'string' ? parsedWithDigits(value) : value;
  if (document === undefined) return err('Value must be valid JSON.');
  if (isTooDeep(document)) return err('The value is nested too deep.');
  // What a list has to hold, its field knows.
  if (!isList && !isMembers(document)) return err(`Expected a dictionary of items but got type "${kindOf(document)}".`);
  return ok(writeWithDigits(document));
}

function parsedWithDigits(text: string): unknown {
  const document = parsedJson(text);
  if (document !== undefined && hasLongNumbers(text)) rememberDigits(document, parseExact(text));
  return document;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseReferences(value: unknown, to: Lookup, areNames: boolean): Result<Given, string> {
  const items = typeof value === 'string' ? listOf(value) : value;
  if (items === null) return err(NOT_NULL);
  if (!Array.isArray(items)) return err(`Expected a list of items but got type "${kindOf(items)}".`);
  if (items.length > MAX_REFERENCES) return err(`Ensure this field has no more than ${MAX_REFERENCES} elements.`);
  const references: Reference[] = [];
  for (const item of items) {
    const reference = parseReference(item, to, areNames);
    if (reference === undefined) return err(`Incorrect type. Expected an id or a name, but got ${kindOf(item)}.`);
    references.push(reference);
  }
  return ok({ kind: 'references', to: references });
}

/** A form has no lists: several are separated by commas, or written as JSON. */
function listOf(text: string): readonly unknown[] {
  const list = text.trimStart().startsWith('[') ? parsedJson(text) : undefined;
  if (Array.isArray(list)) return list;
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** An id, a name, or the object that was read. Where any text may be a name, digits are one too. */
function parseReference(value: unknown, to: Lookup, areNames: boolean): Reference | undefined {
  if (typeof value === 'number' || (!areNames && typeof value === 'string' && /^\d+$/.test(value))) return byId(value);
  if (typeof value === 'string') return byName(to.plain, value);
  if (!isMembers(value)) return undefined;
  for (const member of ['pk', 'id']) {
    const id = Object.hasOwn(value, member) ? byId(value[member]) : undefined;
    if (id !== undefined) return id;
  }
  for (const { column, member } of to.names) {
    const name = Object.hasOwn(value, member) ? value[member] : undefined;
    if (typeof name === 'string') return byName(column, name);
  }
  return undefined;
}

function byId(value: unknown): Reference | undefined {
  const id = typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isSafeInteger(id) ? { by: 'id', id } : undefined;
}

function byName(column: string, name: string): Reference | undefined {
  const text = name.trim();
  return text === '' || text.includes('\0') ? undefined : { by: 'name', column, name: text };
}

/** A value in a message: short, and never a whole document. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : kindOf(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
