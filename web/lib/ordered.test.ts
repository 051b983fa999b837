import { expect, test } from 'vitest';
import { replacedAt, stepped } from './ordered.ts';

test('one goes up or down, and stays where there is nothing further', () => {
  expect(stepped(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c']);
  expect(stepped(['a', 'b', 'c'], 1, 1)).toEqual(['a', 'c', 'b']);
  expect(stepped(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
  expect(stepped(['a', 'b'], 1, 1)).toEqual(['a', 'b']);
  expect(replacedAt(['a', 'b'], 1, 'c')).toEqual(['a', 'c']);
});
