import { describe, expect, test } from 'vitest';
import { atOnce } from '../../kernel/in-slices.ts';
import type { KeyRow } from './catalogue-rows.ts';
import { makeKeys } from './keys.ts';

describe('makeKeys', () => {
  const isUnique = (columns: number[], ...unique: KeyRow[]) =>
    atOnce(makeKeys([...unique, row('f', columns)])).foreign[0]?.isUnique;

  test.each([
    ['no key at all', [2], [], false],
    ['the primary key', [2], [row('p', [2])], true],
    ['a unique key', [2], [row('p', [1]), row('u', [2])], true],
    ['a unique key in another order', [2, 10], [row('u', [10, 2])], true],
    ['part of a key', [2], [row('p', [2, 3])], false],
    ['more than a key', [2, 3], [row('p', [2])], false],
    ['a key of another table', [2], [{ ...row('p', [2]), relation: 9 }], false],
    ['columns that only look alike when joined', [1, 2], [row('u', [12])], false],
  ])('a foreign key over %s is unique accordingly', (_, columns, unique, expected) => {
    expect(isUnique(columns, ...unique)).toBe(expected);
  });

  test('primary keys keep their order', () => {
    expect(atOnce(makeKeys([row('p', [3, 1])])).primary.get(1)).toEqual([3, 1]);
  });
});

function row(kind: KeyRow['kind'], columns: number[]): KeyRow {
  return { oid: 1, kind, name: 'k', relation: 1, columns, foreignRelation: 2, foreignColumns: [1] };
}
