// Texts of a query string → values of a field's type, still as text but certain to be read by PostgreSQL.

import { parseDecimal } from '../../kernel/decimal.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { FieldType } from '../fields/field.ts';
import { parseMoment } from '../fields/moment.ts';
import type { ValueType } from './condition.ts';

export const MESSAGES = {
  integer: 'A valid integer is required.',
  number: 'A valid number is required.',
  datetime:
    'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
  uuid: 'Must be a valid UUID.',
} as const;

/** Undefined: the type has nothing to compare. */
export function valueTypeOf(type: FieldType): ValueType | undefined {
  switch (type.kind) {
    case 'text':
    case 'choice':
      return 'text';
    case 'digits':
    case 'integer':
    case 'one':
    case 'many':
      return 'bigint';
    case 'number':
      return 'double precision';
    case 'boolean':
      return 'boolean';
    case 'datetime':
      return 'timestamptz';
    case 'uuid':
      return 'uuid';
    case 'geometry':
    case 'json':
    case 'words':
      return undefined;
  }
}

export function parseFilterValue(as: ValueType, text: string): Result<string, string> {
  switch (as) {
    case 'text':
      return ok(text);
    case 'bigint':
      return /^\s*[+-]?\d{1,18}\s*$/.test(text) ? ok(text.trim()) : err(MESSAGES.integer);
    case 'double precision':
      return parseNumber(text);
    case 'boolean':
      return ok(/^(?:false|0|)$/i.test(text) ? 'false' : 'true');
    case 'timestamptz': {
      // A plus sign that nobody encoded arrives as a blank.
      const moment = parseMoment(text.replace(/ (?=\d\d:?\d\d$)/, '+'));
      return moment === undefined ? err(MESSAGES.datetime) : ok(moment);
    }
    case 'uuid':
      return /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text) ? ok(text) : err(MESSAGES.uuid);
  }
}

function parseNumber(text: string): Result<string, string> {
  const value = text.trim();
  return parseDecimal(value) === undefined ? err(MESSAGES.number) : ok(value);
}
