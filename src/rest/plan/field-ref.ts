// A field of the request against the column it names. A name that the relation does not know is let through: it may be
// a computed field, and if not, the database says so in its own words.

import type { Field, Value } from '../request/api-request.ts';
import type { Column, Identifier, SchemaCache, Table } from '../schema-cache/schema-cache.ts';
import type { FieldRef } from './plan.ts';
import { plannedCalls, spatialType } from './planned-calls.ts';

/** What is known of the columns of some rows: a relation's, or a function's result columns. */
export type KnownColumns = {
  readonly columns: ReadonlyMap<
    string,
    Pick<Column, 'name' | 'baseType' | 'representation'> & { readonly nominalType?: string }
  >;
  /** The relation whose rows they are, if any: functions of its row are columns too. */
  readonly relation?: Identifier | undefined;
  /** The rows come out of a function and are of no type any more. */
  readonly untyped?: true;
};

export type FieldTypes = Pick<SchemaCache, 'representations' | 'computedType' | 'extensions' | 'textSearch'>;

export function fieldRef(field: Field, known: KnownColumns | undefined, types: FieldTypes): FieldRef {
  const column = known?.columns.get(field.name);
  const relation = known?.relation;
  const computed =
    column === undefined && relation !== undefined ? types.computedType(relation, field.name) : undefined;
  const baseType = column?.baseType ?? computed;
  const spatial = field.path.length > 0 ? undefined : spatialType(column?.nominalType ?? baseType);
  const isJson = baseType === 'json' || baseType === 'jsonb';
  return {
    column: field.name,
    path: field.path,
    viaJsonb: field.path.length > 0 && !isJson,
    baseType,
    rowType: computed !== undefined && known?.untyped ? relation : undefined,
    // A value inside the JSON of a domain is not a value of the domain.
    representation:
      column?.representation == null || field.path.length > 0
        ? undefined
        : types.representations.get(column.representation),
    ...(spatial && { spatial }),
  };
}

/** A column, its cast and functions of it. */
export function valueRef({ field, cast, calls }: Value, known: KnownColumns | undefined, types: FieldTypes): FieldRef {
  const ref = fieldRef(field, known, types);
  if (cast === undefined && calls === undefined) return ref;
  const planned =
    calls && plannedCalls(calls, cast === undefined ? ref : { baseType: cast, spatial: undefined }, types);
  return { ...ref, representation: undefined, ...(cast !== undefined && { cast }), ...(planned && { calls: planned }) };
}

/** What is known of a relation's own rows. */
export function columnsOf(table: Table): KnownColumns {
  return { columns: table.columns, relation: table };
}

/** The key a field has in the result: the last key of its path, else the column. */
export function fieldOutputName(field: Field): string {
  for (let i = field.path.length - 1; i >= 0; i--) {
    const operand = field.path[i]?.operand;
    if (operand?.kind === 'key') return operand.key;
  }
  return field.name;
}
