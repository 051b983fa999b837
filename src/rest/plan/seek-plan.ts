// Keyset pages as a plan: the order asked for, made total by the primary key, and the place in it where the page begins.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { QueryParams } from '../request/api-request.ts';
import type { Table } from '../schema-cache/schema-cache.ts';
import type { OrderBy, ReadNode, SeekKey } from './plan.ts';
import type { PlanError } from './plan-error.ts';

export function withSeek(tree: ReadNode, after: QueryParams['after'], table: Table): Result<ReadNode, PlanError> {
  if (after === undefined) return ok(tree);
  if (table.primaryKey.length === 0) return err({ kind: 'keyset-impossible', why: 'no-key' });
  if (tree.grouped || tree.distinct !== undefined) return err({ kind: 'keyset-impossible', why: 'grouped' });
  const keys: SeekKey[] = [];
  for (const { by, direction, nulls } of tree.order) {
    if (by.kind !== 'own') return err({ kind: 'keyset-impossible', why: 'order' });
    const { field } = by;
    // Rows that differ in the whole key are in order; nothing behind it decides.
    if (table.primaryKey.every((column) => hasColumn(keys, column))) break;
    const isPlain = field.path.length === 0;
    // What stands in the order already decides nothing a second time.
    if (isPlain && hasColumn(keys, field.column)) continue;
    keys.push({
      field,
      direction: direction ?? 'asc',
      nulls: nulls ?? (direction === 'desc' ? 'first' : 'last'),
      nullable: !isPlain || !isNeverNull(table, field.column),
    });
  }
  for (const column of table.primaryKey) {
    if (hasColumn(keys, column)) continue;
    // In the direction of the last column, so that one comparison of rows says where to begin, and an index can.
    const direction = keys.at(-1)?.direction ?? 'asc';
    keys.push({ field: keyField(table, column), direction, nulls: nullsOf(direction), nullable: false });
  }
  if (after.behind !== undefined && after.behind.length !== keys.length) return err({ kind: 'cursor-outdated' });
  return ok({ ...tree, order: keys.map(orderBy), seek: { keys, behind: after.behind } });
}

function hasColumn(keys: readonly SeekKey[], column: string): boolean {
  return keys.some(({ field }) => field.path.length === 0 && field.column === column);
}

function isNeverNull({ columns, primaryKey }: Table, name: string): boolean {
  return columns.get(name)?.nullable === false || primaryKey.includes(name);
}

function nullsOf(direction: 'asc' | 'desc'): 'first' | 'last' {
  return direction === 'asc' ? 'last' : 'first';
}

function keyField({ columns }: Table, column: string): SeekKey['field'] {
  return {
    column,
    path: [],
    viaJsonb: false,
    baseType: columns.get(column)?.baseType,
    rowType: undefined,
    representation: undefined,
  };
}

/** Where nulls stand is said only where they stand otherwise than they would: an index is made for that. */
function orderBy({ field, direction, nulls }: SeekKey): OrderBy {
  return { by: { kind: 'own', field }, direction, nulls: nulls === nullsOf(direction) ? undefined : nulls };
}
