// The ends of a foreign key: the table it names, if it is exposed, and every exposed view that shows all its columns.

import type { ForeignKey } from './keys.ts';
import type { ColumnPair, Identifier, Relationship } from './schema-cache.ts';
import type { ViewKeys } from './view-keys.ts';

/** An exposed relation, as far as relationships need it. */
export type Related = {
  readonly oid: number;
  readonly identifier: Identifier;
  readonly isView: boolean;
  /** By attnum - 1; null where a column was dropped. */
  readonly columnNames: readonly (string | null)[];
};

/** A relation, and the attnums that the key's columns have in it, in key order. */
export type KeyEnd = { readonly relation: Related; readonly columns: readonly number[] };

export function endsOfKey(
  table: number,
  columns: readonly number[],
  relations: ReadonlyMap<number, Related>,
  viewKeys: ViewKeys,
): KeyEnd[] {
  const ends: KeyEnd[] = [];
  const relation = relations.get(table);
  if (relation !== undefined) ends.push({ relation, columns });
  for (const showing of viewKeys.showings.get(table) ?? []) {
    const view = relations.get(showing.view);
    if (view === undefined) continue;
    const choices = columns.map((column) => showing.columns.get(column) ?? []);
    for (const shown of combinations(choices)) ends.push({ relation: view, columns: shown });
  }
  return ends;
}

/** One of each, in every way; none at all when one has no choice. */
function combinations(choices: readonly (readonly number[])[]): number[][] {
  return choices.reduce<number[][]>(
    (chosen, choice) => chosen.flatMap((before) => choice.map((column) => [...before, column])),
    [[]],
  );
}

/** `side`: whether it starts where the key stands, or where the key points. */
export function makeKeyRelationship(key: ForeignKey, side: 'owner' | 'target', from: KeyEnd, to: KeyEnd): Relationship {
  const ends = {
    table: from.relation.identifier,
    tableIsView: from.relation.isView,
    foreign: to.relation.identifier,
    foreignIsView: to.relation.isView,
    isSelf: from.relation === to.relation,
    constraint: key.name,
    columns: columnPairs(from, to),
  };
  if (!key.isUnique) return { ...ends, kind: side === 'owner' ? 'many-to-one' : 'one-to-many' };
  return { ...ends, kind: 'one-to-one', holdsKey: side === 'owner' };
}

export function columnPairs(from: KeyEnd, to: KeyEnd): ColumnPair[] {
  return from.columns.map((column, i) => [
    columnName(from.relation, column),
    columnName(to.relation, to.columns[i] ?? 0),
  ]);
}

function columnName(relation: Related, attnum: number): string {
  return relation.columnNames[attnum - 1] ?? '';
}
