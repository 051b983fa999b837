import { expect, test } from 'vitest';
import type { Column } from '../schema-cache/schema-cache.ts';
import { readsFewRows } from './few-rows.ts';
import type { Condition, FieldRef, Output } from './plan.ts';

const field = (column: string, more: Partial<FieldRef> = {}): FieldRef => ({
  column,
  path: [],
  viaJsonb: false,
  baseType: 'integer',
  rowType: undefined,
  representation: undefined,
  ...more,
});
const eq = (column: string, more: Partial<Condition & { kind: 'filter' }> = {}): Condition => ({
  kind: 'filter',
  field: field(column),
  negated: false,
  operation: { kind: 'compare', operator: 'eq', value: 0 },
  ...more,
});
const column = (name: string): Column => ({
  name,
  description: null,
  nullable: true,
  baseType: 'integer',
  nominalType: 'integer',
  maxLength: null,
  default: null,
  enumLabels: [],
  representation: null,
});
const shown = (name: string): Output => ({
  kind: 'column',
  field: field(name),
  name,
  cast: undefined,
  aggregate: undefined,
  aggregateCast: undefined,
});
const COLUMNS = new Map(['land', 'name', 'age', 'height', 'born'].map((name) => [name, column(name)]));
const few = (where: readonly Condition[], limit?: number, primaryKey = ['land', 'name']): boolean =>
  readsFewRows(
    { where, window: { limit, offset: 0 }, outputs: [{ kind: 'star' }], embeds: [] },
    { primaryKey, columns: COLUMNS },
  );
const narrow = (limit: number): boolean =>
  readsFewRows(
    { where: [], window: { limit, offset: 0 }, outputs: [shown('name'), shown('age')], embeds: [] },
    { primaryKey: [], columns: COLUMNS },
  );

test.each<[string, boolean, boolean]>([
  ['the whole key', few([eq('land'), eq('name'), eq('age')]), true],
  ['a small limit', few([], 40), true],
  ['no row at all', few([], 0), true],
  ['a larger limit', few([], 41), false],
  ['the same limit, of fewer columns', narrow(41), true],
  ['as many cells in more rows', narrow(100), true],
  ['a cell more', narrow(101), false],
  ['half of the key', few([eq('land')]), false],
  ['no key to have', few([eq('land'), eq('name')], undefined, []), false],
  ['everything but one', few([eq('land'), eq('name', { negated: true })]), false],
  [
    'another operator',
    few([eq('land'), eq('name', { operation: { kind: 'compare', operator: 'gt', value: 0 } })]),
    false,
  ],
  [
    'a part of the key',
    few([
      eq('land'),
      eq('name', { field: field('name', { path: [{ arrow: '->', operand: { kind: 'key', key: 'a' } }] }) }),
    ]),
    false,
  ],
  ['the key as something else', few([eq('land'), eq('name', { field: field('name', { cast: 'text' }) })]), false],
  ['another column', few([eq('land'), eq('name', { other: field('age') })]), false],
  ['one of two', few([{ kind: 'group', operator: 'or', negated: false, children: [eq('land'), eq('name')] }]), false],
])('%s', (_, found, meant) => {
  expect(found).toBe(meant);
});
