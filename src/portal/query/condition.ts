// What a list is narrowed by, resolved against the fields of its collection: every name is known, every value has its type.

import type { Field, Relation } from '../fields/field.ts';

/** A field, or the records behind a relation themselves, reached through any number of relations. */
export type Path = {
  readonly through: readonly Step[];
  readonly target: Target;
};

export type Step = { readonly name: string; readonly relation: Relation };

export type Target =
  | { readonly kind: 'field'; readonly field: Field }
  /** Compared by id. */
  | { readonly kind: 'related'; readonly name: string; readonly relation: Relation };

export type Comparison = 'eq' | 'gt' | 'gte' | 'lt' | 'lte';
export type TextMatch = 'exact' | 'contains' | 'startswith' | 'endswith';
export type DatePart = 'year' | 'month' | 'day' | 'week_day';

/** How values travel into a statement, and what they are there. */
export type ValueType = 'text' | 'bigint' | 'double precision' | 'boolean' | 'timestamptz' | 'uuid';

export type Test =
  | { readonly op: Comparison; readonly value: string; readonly as: ValueType }
  | { readonly op: 'in'; readonly values: readonly string[]; readonly as: ValueType; readonly foldCase?: boolean }
  | { readonly op: 'range'; readonly low: string; readonly high: string; readonly as: ValueType }
  | { readonly op: 'isnull'; readonly isNull: boolean }
  | { readonly op: 'like'; readonly how: TextMatch; readonly text: string; readonly foldCase: boolean }
  | { readonly op: 'regex'; readonly pattern: string; readonly foldCase: boolean }
  | { readonly op: 'part'; readonly part: DatePart; readonly value: string }
  | { readonly op: 'words'; readonly text: string };

/** xmin, ymin, xmax, ymax in WGS 84. */
export type Box = readonly [number, number, number, number];

export type SearchField = {
  readonly path: Path;
  readonly how: 'contains' | 'startswith' | 'exact' | 'regex' | 'words';
};

export type Condition =
  | { readonly kind: 'filter'; readonly path: Path; readonly test: Test; readonly isNegated: boolean }
  /** Every word in at least one of the fields. `isUsual`: the client named none, and items are searched by all that describes them. */
  | {
      readonly kind: 'search';
      readonly words: readonly string[];
      readonly fields: readonly SearchField[];
      readonly isUsual: boolean;
    }
  /** Any of the boxes. */
  | { readonly kind: 'extent'; readonly boxes: readonly Box[] }
  | { readonly kind: 'favourite' }
  /** Of these words of thesauri, one from each thesaurus that has any; `all`: all of them. */
  | { readonly kind: 'tkeywords'; readonly ids: readonly string[]; readonly all: boolean };

export type OrderTerm = { readonly path: Path; readonly isDescending: boolean };
