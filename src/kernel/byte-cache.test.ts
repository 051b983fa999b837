import { expect, test } from 'vitest';
import { makeByteCache } from './byte-cache.ts';

test('the longest unused goes when there is no room', () => {
  const cache = makeByteCache<string>(10_000);
  for (const key of ['a', 'b', 'c', 'd']) cache.set(key, key.toUpperCase(), 2000);
  expect(cache.get('a')).toBe('A');
  cache.set('e', 'E', 2000);
  expect(['a', 'b', 'c', 'd', 'e'].map((key) => cache.get(key))).toEqual(['A', undefined, 'C', 'D', 'E']);
});

test('what would push out everything else is not kept, and replaces what it was', () => {
  const cache = makeByteCache<string>(10_000);
  cache.set('a', 'small', 10);
  cache.set('a', 'large', 9000);
  expect(cache.get('a')).toBeUndefined();
  expect(cache.bytes).toBe(0);
});

test('a key that is set again weighs once', () => {
  const cache = makeByteCache<number>(100_000);
  for (let i = 0; i < 50; i += 1) cache.set('a', i, 100);
  expect(cache.bytes).toBe(500);
});
