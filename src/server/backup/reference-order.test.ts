import { expect, test } from 'vitest';
import { inOrderOfReference } from './reference-order.ts';

const order = (tables: string, ...references: string[]): string =>
  inOrderOfReference(
    [...tables].map((oid) => ({ oid })),
    references.map(([from = '', to = '']) => ({ from, to })),
  )
    .map(({ oid }) => oid)
    .join('');

test.each<[string, string[], string]>([
  ['abc', [], 'abc'],
  ['abc', ['ab', 'bc'], 'cba'],
  ['abcd', ['ab', 'ac', 'bd', 'cd'], 'dbca'],
  // Twice the same, and to one that is not among them.
  ['ab', ['ab', 'ab', 'ax', 'xb'], 'ba'],
  // A circle comes last, as it was given, and what waits for it as well.
  ['abcd', ['ab', 'ba', 'ca'], 'dabc'],
  ['ab', ['aa'], 'ba'],
])('%s, where %j, is loaded as %s', (tables, references, expected) => {
  expect(order(tables, ...references)).toBe(expected);
});
