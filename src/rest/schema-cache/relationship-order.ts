// The order relationships of one relation stand in, and ambiguities are listed in: by the related relation, then by kind,
// then by the names of keys, junctions and columns; computed ones last.

import type { Relationship } from './schema-cache.ts';

const KIND_ORDER = { 'one-to-many': 0, 'many-to-one': 1, 'one-to-one': 2, 'many-to-many': 3, computed: 4 } as const;

export function compareRelationships(a: Relationship, b: Relationship): number {
  return (
    Number(a.kind === 'computed') - Number(b.kind === 'computed') ||
    compareText(a.foreign.schema, b.foreign.schema) ||
    compareText(a.foreign.name, b.foreign.name) ||
    KIND_ORDER[a.kind] - KIND_ORDER[b.kind] ||
    compareLists(namesOf(a), namesOf(b))
  );
}

function namesOf(relationship: Relationship): readonly string[] {
  switch (relationship.kind) {
    case 'computed':
      return [relationship.routine.schema, relationship.routine.name];
    case 'many-to-many': {
      const { junction, constraint, foreignConstraint, columns, foreignColumns } = relationship;
      return [
        junction.schema,
        junction.name,
        constraint,
        foreignConstraint,
        ...columns.flat(),
        ...foreignColumns.flat(),
      ];
    }
    default:
      return [relationship.constraint, ...relationship.columns.flat()];
  }
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (const [i, text] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    if (text !== other) return compareText(text, other);
  }
  return a.length - b.length;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
