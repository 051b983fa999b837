// The ends of a foreign key: the table it names, if it is exposed, and every exposed view that shows all its columns.

import type { Stage } from '../../kernel/in-slices.ts';
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

/** A view that shows a key of six columns six times each shows it in 46,656 ways, and two of them would be related in billions. */
export const MAX_WAYS = 64;

export type KeyEnds = {
  /** The table first. */
  readonly ends: readonly KeyEnd[];
  /** Views that show the key in more ways than are looked at. */
  readonly cut: readonly Related[];
};

export function* endsOfKey(
  table: number,
  columns: readonly number[],
  relations: ReadonlyMap<number, Related>,
  viewKeys: ViewKeys,
): Stage<KeyEnds> {
  const ends: KeyEnd[] = [];
  const cut: Related[] = [];
  const relation = relations.get(table);
  if (relation !== undefined) ends.push({ relation, columns });
  for (const showing of viewKeys.showings.get(table) ?? []) {
    yield;
    const view = relations.get(showing.view);
    if (view === undefined) continue;
    const choices = columns.map((column) => showing.columns.get(column) ?? []);
    const ways = choices.reduce((product, choice) => product * choice.length, 1);
    if (ways > MAX_WAYS) cut.push(view);
    for (let way = 0; way < Math.min(ways, MAX_WAYS); way++)
      ends.push({ relation: view, columns: choose(choices, way) });
  }
  return { ends, cut };
}

/** One of each: the way of this number, where the choice for the last column changes first. */
function choose(choices: readonly (readonly number[])[], way: number): number[] {
  const chosen: number[] = [];
  let rest = way;
  for (const choice of choices.toReversed()) {
    chosen.push(choice[rest % choice.length] ?? 0);
    rest = Math.floor(rest / choice.length);
  }
  return chosen.reverse();
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
