// Records with ids in place of what is related to them, as `sideloading=true` answers them: their schemas, and those of the lists that
// stand beside.

import { reference, type Schema } from '../../description/schema.ts';
import type { Field, RecordType } from '../../fields/field.ts';
import type { Collection } from '../../operations/collection.ts';
import { nameOf, type RecordTypes, recordSchema } from './json-schema.ts';

export type Sideloaded = {
  readonly record: Schema;
  /** Members beside the records, by their names. */
  readonly sides: Readonly<Record<string, Schema>>;
};

/** Undefined: nothing is related to these records that has an id. */
export function sideloadedSchema(
  { recordType, list, item }: Collection,
  recordTypes: RecordTypes,
): Sideloaded | undefined {
  const relations = recordType.fields.flatMap((field) => {
    const related = relatedRecordType(field);
    return related?.key === undefined ? [] : [{ field, related, key: related.key }];
  });
  if (relations.length === 0) return undefined;
  const whole = recordSchema(recordType, recordTypes) as Schema & {
    readonly properties: Readonly<Record<string, Schema>>;
  };
  const ids = relations.map(({ field, key }): [string, Schema] => {
    const id: Schema = { type: key.type.kind === 'integer' ? 'integer' : 'string' };
    return [
      field.name,
      field.type.kind === 'many' ? { type: 'array', items: id } : { ...id, nullable: field.nullable },
    ];
  });
  const kinds = new Map<string, Set<string>>();
  for (const { related } of relations) {
    // A list that has the name of the records themselves would hide them.
    const name = related.plural === list || related.plural === item ? `+${related.plural}` : related.plural;
    kinds.set(name, (kinds.get(name) ?? new Set()).add(nameOf(related, recordTypes)));
  }
  return {
    record: { ...whole, properties: { ...whole.properties, ...Object.fromEntries(ids) } },
    sides: Object.fromEntries(
      [...kinds].map(([name, schemas]) => [name, { type: 'array', items: { anyOf: [...schemas].map(reference) } }]),
    ),
  };
}

function relatedRecordType({ type }: Field): RecordType | undefined {
  return type.kind === 'one' || type.kind === 'many' ? type.relation.recordType() : undefined;
}
