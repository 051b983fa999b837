// PostgreSQL type names, as format_type prints them, in the few words that JSON has.

import { quoteIdent } from '../../../sql/index.ts';

export type JsonType = 'string' | 'boolean' | 'integer' | 'number' | 'array';

const JSON_TYPES: ReadonlyMap<string, JsonType> = new Map([
  ['boolean', 'boolean'],
  ['smallint', 'integer'],
  ['integer', 'integer'],
  ['bigint', 'integer'],
  ['numeric', 'number'],
  ['real', 'number'],
  ['double precision', 'number'],
]);

/** Element type of an array type; undefined for every other type. */
export function elementType(type: string): string | undefined {
  return type.endsWith('[]') ? type.slice(0, -2) : undefined;
}

/** The name as it can be written with these schemas on the search path: `api.color[]` → `color[]`. */
export function unqualifiedType(type: string, searchPath: readonly string[]): string {
  for (const schema of searchPath) {
    for (const prefix of [`${schema}.`, `${quoteIdent(schema)}.`]) {
      if (type.startsWith(prefix)) return type.slice(prefix.length);
    }
  }
  return type;
}

/** What a value of the type is in JSON; undefined for json and jsonb, which can be anything. */
export function jsonType(type: string): JsonType | undefined {
  if (type === 'json' || type === 'jsonb') return undefined;
  if (elementType(type) !== undefined) return 'array';
  return JSON_TYPES.get(type) ?? 'string';
}
