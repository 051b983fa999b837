// Where the rows of a collection come from.

import { sql } from '../../sql/index.ts';
import type { Slot, Sql } from '../represent/slot.ts';

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
  /** The order of a list when nobody asks for one, its key last. */
  readonly order: Sql;
  /** Rows of the catalogue: `perms`, extents and the index of titles and abstracts are there for them. */
  readonly isCatalogue: boolean;
};

/** What stands behind `from`. */
export function fromSql({ table, joins }: Source): Sql {
  return sql<Slot>`${table}${joins}`;
}
