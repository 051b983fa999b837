// An element of a request's body that was read: every value checked, nothing unknown in it.

import type { Field } from '../../fields/field.ts';

/** Something referred to: by id, or by one of the columns of its lookup. */
export type Reference =
  | { readonly by: 'id'; readonly id: number }
  | { readonly by: 'name'; readonly column: string; readonly name: string };

export type Given =
  /** As text for the database. */
  | { readonly kind: 'value'; readonly text: string | null }
  | { readonly kind: 'reference'; readonly to: Reference | null }
  | { readonly kind: 'references'; readonly to: readonly Reference[] };

export type Draft = ReadonlyMap<Field, Given>;

/** By name, because one field may stand in several record types. */
export function givenField(draft: Draft, name: string): Field | undefined {
  for (const field of draft.keys()) if (field.name === name) return field;
  return undefined;
}

export function givenText(draft: Draft, name: string): string | null | undefined {
  for (const [field, given] of draft) if (field.name === name) return given.kind === 'value' ? given.text : undefined;
  return undefined;
}

/** The draft with some of its fields replaced (or, where undefined, left out). */
export function withValues(draft: Draft, changes: ReadonlyMap<Field, Given | undefined>): Draft {
  const changed = new Map(draft);
  for (const [field, given] of changes) {
    if (given === undefined) changed.delete(field);
    else changed.set(field, given);
  }
  return changed;
}
