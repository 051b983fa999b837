// Reads that ask for few cells by themselves: those of one key, or with a small limit. The database writes their JSON quicker than it hands
// over cells and then reads the response settings in a statement of its own.

import type { Table } from '../schema-cache/schema-cache.ts';
import type { Condition, ReadNode } from './plan.ts';

/**
 * Rows times columns. In processor time of database and process together, cells and `json_agg` are about even at 100 and at 230 of them, where cells
 * take more of the process, which is one thread; at 250 cells take 0.7 of it, at 2,300 half (docs/performance.md).
 */
const FEW_CELLS = 200;

/** Of functions, whose rows are counted when they are there. */
export const FEW_ROWS: number = 20;

/** Rows that have to be written by the database one by one, because of their types, are quicker as one up to here. */
export const FEW_TEXTS: number = 100;

export function readsFewRows(
  { window: { limit }, where, outputs, embeds }: Pick<ReadNode, 'window' | 'where' | 'outputs' | 'embeds'>,
  { primaryKey, columns }: Pick<Table, 'primaryKey' | 'columns'>,
): boolean {
  const width = embeds.length + outputs.reduce((sum, { kind }) => sum + (kind === 'star' ? columns.size : 1), 0);
  if (limit !== undefined && limit * width <= FEW_CELLS) return true;
  return primaryKey.length > 0 && primaryKey.every((name) => where.some((condition) => pins(condition, name)));
}

function pins(condition: Condition, column: string): boolean {
  if (condition.kind !== 'filter') return false;
  const { field, negated, operation, other } = condition;
  return (
    field.column === column &&
    field.path.length === 0 &&
    field.cast === undefined &&
    field.calls === undefined &&
    !negated &&
    other === undefined &&
    operation.kind === 'compare' &&
    operation.operator === 'eq' &&
    operation.quantifier === undefined
  );
}
