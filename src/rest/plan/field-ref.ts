// A field of the request against the column it names. A name that the relation does not know is let through: it may be
// a computed field, and if not, the database says so in its own words.

import type { Field } from '../request/api-request.ts';
import type { Column, Representation } from '../schema-cache/schema-cache.ts';
import type { FieldRef } from './plan.ts';

/** What is known of the columns of some rows: a relation's, or a function's result columns. */
export type KnownColumns = {
  readonly columns: ReadonlyMap<string, Pick<Column, 'name' | 'baseType' | 'representation'>>;
};

export type Representations = ReadonlyMap<string, Representation>;

export function fieldRef(field: Field, table: KnownColumns | undefined, representations: Representations): FieldRef {
  const column = table?.columns.get(field.name);
  const isJson = column?.baseType === 'json' || column?.baseType === 'jsonb';
  return {
    column: field.name,
    path: field.path,
    viaJsonb: field.path.length > 0 && !isJson,
    baseType: column?.baseType,
    // A value inside the JSON of a domain is not a value of the domain.
    representation:
      column?.representation == null || field.path.length > 0 ? undefined : representations.get(column.representation),
  };
}

/** The key a field has in the result: the last key of its path, else the column. */
export function fieldOutputName(field: Field): string {
  for (let i = field.path.length - 1; i >= 0; i--) {
    const operand = field.path[i]?.operand;
    if (operand?.kind === 'key') return operand.key;
  }
  return field.name;
}
