// Which views show the key columns of which tables: where the columns of each view come from, and the keys → for each
// table its views with the names its key columns have there, and for each view the primary key it inherits.

import type { Stage } from '../../kernel/in-slices.ts';
import type { Keys } from './keys.ts';
import { getOrMake } from './name-map.ts';
import { traceColumns } from './trace-columns.ts';
import type { ViewColumn } from './view-columns.ts';

/** A view that shows columns of a table, perhaps through other views. */
type Showing = {
  /** Oid. */
  readonly view: number;
  /** Attnum in the table → attnums in the view; several when the view shows the column more than once. */
  readonly columns: ReadonlyMap<number, readonly number[]>;
};

export type ViewKeys = {
  /** Views by the oid of the table whose key columns they show. */
  readonly showings: ReadonlyMap<number, readonly Showing[]>;
  /** Attnums in the view, by its oid. */
  readonly primary: ReadonlyMap<number, readonly number[]>;
  /** Oids of views that show themselves, through each other; they can be read by nobody. */
  readonly circles: readonly (readonly number[])[];
};

export function* makeViewKeys(views: ReadonlyMap<number, readonly ViewColumn[]>, keys: Keys): Stage<ViewKeys> {
  const keyColumns = yield* collectKeyColumns(keys);
  const { baseOf, circles } = yield* traceColumns(views);
  const showings = new Map<number, Showing[]>();
  const primary = new Map<number, readonly number[]>();
  for (const [view, columns] of views) {
    const byTable = new Map<number, Map<number, number[]>>();
    for (const { column } of columns) {
      const base = baseOf(view, column);
      if (base === undefined || keyColumns.get(base.relation)?.has(base.column) !== true) continue;
      const shown = getOrMake(byTable, base.relation, () => new Map<number, number[]>());
      getOrMake(shown, base.column, () => []).push(column);
    }
    const inherited: number[] = [];
    for (const [table, shown] of byTable) {
      getOrMake(showings, table, () => []).push({ view, columns: shown });
      inherited.push(...inheritPrimaryKey(keys.primary.get(table), shown));
    }
    // Only a comment tells a key of a view itself.
    const told = keys.primary.get(view) ?? inherited;
    if (told.length > 0) primary.set(view, told);
    yield;
  }
  return { showings, primary, circles };
}

/** All of the key or nothing. Where a column is shown twice its first showing stands for it: one name is enough to find a row. */
function inheritPrimaryKey(
  key: readonly number[] | undefined,
  shown: ReadonlyMap<number, readonly number[]>,
): readonly number[] {
  const columns = key?.map((column) => shown.get(column)?.[0]) ?? [];
  return columns.every((column) => column !== undefined) ? columns : [];
}

function* collectKeyColumns(keys: Keys): Stage<ReadonlyMap<number, ReadonlySet<number>>> {
  const columns = new Map<number, Set<number>>();
  const add = (relation: number, key: readonly number[]) => {
    const set = getOrMake(columns, relation, () => new Set<number>());
    for (const column of key) set.add(column);
  };
  for (const [relation, key] of keys.primary) {
    add(relation, key);
    yield;
  }
  for (const key of keys.foreign) {
    add(key.relation, key.columns);
    add(key.foreignRelation, key.foreignColumns);
    yield;
  }
  return columns;
}
