// Records with what is related to them embedded → records with ids in those places, and beside them each related record once. For
// clients that ask for it; all others get the bytes of the database as they are.

import type { RecordType } from './field.ts';

/** Which relations: all, or those named. */
export type Sideloading = { readonly kind: 'all' } | { readonly kind: 'some'; readonly names: ReadonlySet<string> };

type Json = Record<string, unknown>;

/** Related records by the plural of what they are: `{"users": […]}`. */
export type Sides = ReadonlyMap<string, readonly unknown[]>;

/** Related records without an id of their own (entries of code lists) stay where they are. */
export function sideload(
  recordType: RecordType,
  records: readonly Json[],
  what: Sideloading,
): { readonly records: readonly Json[]; readonly sides: Sides } {
  const found = new Map<string, Map<unknown, Json>>();
  const toIds = (value: unknown, related: RecordType): unknown => {
    if (Array.isArray(value)) return value.map((item) => toIds(item, related));
    const key = related.key?.name;
    if (!isRecord(value) || key === undefined || !Object.hasOwn(value, key)) return value;
    let ofKind = found.get(related.plural);
    if (ofKind === undefined) {
      ofKind = new Map();
      found.set(related.plural, ofKind);
    }
    ofKind.set(value[key], value);
    return value[key];
  };
  const relations = recordType.fields.flatMap(({ name, type }) =>
    (type.kind === 'one' || type.kind === 'many') && (what.kind === 'all' || what.names.has(name))
      ? [{ name, related: type.relation.recordType() }]
      : [],
  );
  const bare = records.map((record) => {
    const copy = { ...record };
    for (const { name, related } of relations) {
      if (Object.hasOwn(copy, name)) copy[name] = toIds(copy[name], related);
    }
    return copy;
  });
  return { records: bare, sides: new Map([...found].map(([name, ofKind]) => [name, [...ofKind.values()]])) };
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
