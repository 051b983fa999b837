// Exposed relations as they are known between two loads: what relationships need of each, and the table made of it. Those
// that were read anew take the place of what was known of them.

import type { Stage } from '../../kernel/in-slices.ts';
import type { RelationRow } from './catalogue-rows.ts';
import type { Related } from './key-ends.ts';
import type { Table } from './schema-cache.ts';
import { isView, primaryKeyNames } from './tables.ts';
import type { ViewKeys } from './view-keys.ts';

export type KnownRelation = Related & {
  /** Oid of the type of its rows. */
  readonly rowType: number;
  readonly table: Table;
};

/** By oid, in the order they are listed in: by schema and name. */
export type KnownRelations = ReadonlyMap<number, KnownRelation>;

/** `rows` and `tables` in pairs. */
export function* makeKnownRelations(
  rows: readonly RelationRow[],
  tables: readonly (Table | undefined)[],
): Stage<KnownRelation[]> {
  const known: KnownRelation[] = [];
  for (const [i, { oid, rowType, schema, name, kind, columnNames }] of rows.entries()) {
    const table = tables[i];
    if (table === undefined) continue;
    known.push({
      oid,
      rowType,
      identifier: { schema, name },
      isView: isView(kind),
      columnNames: columnNames ?? [],
      table,
    });
    yield;
  }
  return known;
}

/** Those that were known and have not changed, with those that were read anew. Keys of tables are keys of views over them. */
export function* mergeRelations(
  before: KnownRelations,
  changed: ReadonlySet<number>,
  fresh: readonly KnownRelation[],
  viewKeys: ViewKeys,
): Stage<KnownRelations> {
  const merged = new Map<number, KnownRelation>();
  let next = 0;
  for (const relation of before.values()) {
    yield;
    if (changed.has(relation.oid)) continue;
    for (let other = fresh[next]; other !== undefined && isBefore(other, relation); other = fresh[next]) {
      merged.set(other.oid, other);
      next++;
    }
    merged.set(relation.oid, relation.isView ? withPrimaryKey(relation, viewKeys) : relation);
  }
  for (const relation of fresh.slice(next)) {
    merged.set(relation.oid, relation);
    yield;
  }
  return merged;
}

function withPrimaryKey(view: KnownRelation, viewKeys: ViewKeys): KnownRelation {
  const primaryKey = primaryKeyNames(viewKeys.primary.get(view.oid), view.columnNames);
  const isSame = primaryKey.join('\0') === view.table.primaryKey.join('\0');
  return isSame ? view : { ...view, table: { ...view.table, primaryKey } };
}

/** As `order by nspname, relname` has them: names are compared by their bytes. */
function isBefore({ identifier: a }: KnownRelation, { identifier: b }: KnownRelation): boolean {
  return (compareBytes(a.schema, b.schema) || compareBytes(a.name, b.name)) < 0;
}

/** UTF-16 has the order of UTF-8, but that characters of two units come last there. */
function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  let i = 0;
  while (i < a.length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
  if (Number.isNaN(x) || Number.isNaN(y)) return a.length - b.length;
  return Number(isHalf(x)) - Number(isHalf(y)) || x - y;
}

function isHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
