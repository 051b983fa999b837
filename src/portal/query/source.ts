// Where the rows of a collection come from.

import { sql } from '../../sql/index.ts';
import type { BoundValue, Sql } from '../fields/bound-value.ts';

export type OrderColumn = { readonly value: Sql; readonly isDescending: boolean };

export type SearchPage = {
  readonly words: readonly string[];
  /** Undefined: all. */
  readonly types: readonly string[] | undefined;
  readonly skipped: number;
  readonly most: number;
};

export type Source = {
  /** What the row is called in the statements: `r`. */
  readonly row: string;
  /** The table with that name. */
  readonly table: Sql;
  /** What is joined to it, with its conditions; empty: nothing. */
  readonly joins: Sql;
  readonly key: Sql;
  /** Conditions that make it this collection and not another one of the same table. */
  readonly where: readonly Sql[];
  /** The order of a list when nobody asks for one; the key decides between equals. */
  readonly order: OrderColumn;
  /** A quicker way to count all rows than to count them. */
  readonly countAll?: Sql;
  /** The same for the rows of some types, as the only thing that is asked for. */
  readonly countTypes?: (types: readonly string[]) => Sql;
  /** A page of a search by words as the only thing that is asked for, but for types where it takes any: rows `id`, `place`, `total`. */
  readonly searchPage?: (search: SearchPage) => Sql;
  /** Rows of the catalogue: what hangs on an item, extents and the index of titles and abstracts are there for them. */
  readonly isCatalogue: boolean;
  /** Maps may be among them, whose extent may be that of their layers. */
  readonly mayBeMaps?: boolean;
};

/** Text as people sort it and compare it without case, in every database (`portal.people`); with an index where lists are sorted by it. */
export function naturalCollation(text: Sql): Sql {
  return sql<BoundValue>`(${text}) collate portal.people`;
}

/** What stands behind `from`. */
export function fromSql({ table, joins }: Source): Sql {
  return sql<BoundValue>`${table}${joins}`;
}
