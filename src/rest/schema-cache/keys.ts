// Constraints by the relation they stand on: catalogue rows in, primary keys and foreign keys out.

import type { Stage } from '../../kernel/in-slices.ts';
import type { KeyRow } from './catalogue-rows.ts';

export type ForeignKey = {
  readonly oid: number;
  readonly name: string;
  /** Oid of the table that holds it. */
  readonly relation: number;
  /** Attnums, in pairs with `foreignColumns`. */
  readonly columns: readonly number[];
  readonly foreignRelation: number;
  readonly foreignColumns: readonly number[];
  /** Its columns are together a primary or unique key of their table: at most one row on either side. */
  readonly isUnique: boolean;
};

export type Keys = {
  /** Attnums in key order, by oid. */
  readonly primary: ReadonlyMap<number, readonly number[]>;
  readonly foreign: readonly ForeignKey[];
};

export function* makeKeys(rows: readonly KeyRow[]): Stage<Keys> {
  const primary = new Map<number, readonly number[]>();
  /** Of the relations that have foreign keys. */
  const unique = new Map<number, Set<string>>();
  for (const { kind, relation } of rows) if (kind === 'f') unique.set(relation, new Set());
  yield;
  for (const { kind, relation, columns } of rows) {
    if (kind === 'f') continue;
    if (kind === 'p') primary.set(relation, columns);
    unique.get(relation)?.add(columnSet(columns));
    yield;
  }
  const foreign: ForeignKey[] = [];
  for (const { oid, kind, name, relation, columns, foreignRelation, foreignColumns } of rows) {
    if (kind !== 'f') continue;
    const isUnique = unique.get(relation)?.has(columnSet(columns)) ?? false;
    foreign.push({ oid, name, relation, columns, foreignRelation, foreignColumns: foreignColumns ?? [], isUnique });
    yield;
  }
  return { primary, foreign };
}

/** Keys on and to relations that changed are taken from those read anew. Both lists are in the order of oids, and so is the result. */
export function* mergeKeys(
  before: readonly KeyRow[],
  changed: ReadonlySet<number>,
  fresh: readonly KeyRow[],
): Stage<KeyRow[]> {
  const merged: KeyRow[] = [];
  let next = 0;
  for (const key of before) {
    yield;
    if (changed.has(key.relation) || changed.has(key.foreignRelation)) continue;
    for (let other = fresh[next]; other !== undefined && other.oid < key.oid; other = fresh[++next]) merged.push(other);
    merged.push(key);
  }
  for (const key of fresh.slice(next)) merged.push(key);
  return merged;
}

/** The same text for the same columns in any order. */
function columnSet(columns: readonly number[]): string {
  return columns.length === 1 ? String(columns[0]) : columns.toSorted((a, b) => a - b).join();
}
