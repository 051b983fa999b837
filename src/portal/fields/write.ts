// How a field is written. What a client sent is checked first (`validate/`); here stands only where it goes.

import type { Sql } from './bound-value.ts';
import type { Lookup } from './lookup.ts';

export type SetterTime = 'first' | 'middle' | 'last';

/** Values that go to a function of the database once the row is there, and read best in this order. */
type Setter = {
  /** `first`: before the row itself is looked at. `last`: after everything else, for the item may be out of sight then. */
  readonly when: SetterTime | ((value: string | null) => SetterTime);
  /** Statements; `id` is the row's. */
  readonly statements: (id: Sql, value: Sql) => readonly Sql[];
};

export type Write =
  /** Ignored when sent. */
  | { readonly kind: 'read-only' }
  | {
      readonly kind: 'column';
      readonly column: string;
      /** Type of the column. */
      readonly cast: string;
      /** Only in a POST; ignored later. */
      readonly onlyNew?: boolean;
      /** What null means to the column: some of ours are never null, and an empty text instead. */
      readonly nullAs?: string;
    }
  /** GeoJSON into a geometry column. */
  | { readonly kind: 'geometry'; readonly column: string }
  /** The id of something else, given by id, by name, or as the object that was read. */
  | { readonly kind: 'reference'; readonly column: string; readonly to: Lookup }
  /** Several of them; what the function is given are ids. */
  | { readonly kind: 'references'; readonly to: Lookup; readonly setter: Setter }
  /** Names of which new ones are welcome, or ids of known ones. */
  | { readonly kind: 'names'; readonly to: Lookup; readonly setter: Setter }
  /** A plain value for a function. */
  | { readonly kind: 'setter'; readonly setter: Setter; readonly cast: string };

export const readOnly: Write = { kind: 'read-only' };
