import { expect, test } from 'vitest';
import { makeTextCache } from './text-cache.ts';

test('what was set is found again', () => {
  const cache = makeTextCache<number>(4);
  cache.set('a', 1);
  expect(cache.get('a')).toBe(1);
  expect(cache.get('b')).toBeUndefined();
});

test('it never holds more than two generations', () => {
  const cache = makeTextCache<number>(10);
  for (let i = 0; i < 1000; i++) cache.set(`text ${i}`, i);
  expect(cache.size()).toBeLessThanOrEqual(20);
  expect(cache.get('text 0')).toBeUndefined();
  expect(cache.get('text 999')).toBe(999);
});

test('a text that is asked for stays while others come and go', () => {
  const cache = makeTextCache<number>(10);
  cache.set('often', 1);
  for (let i = 0; i < 1000; i++) {
    cache.set(`once ${i}`, i);
    expect(cache.get('often')).toBe(1);
  }
});

test('long texts are not kept', () => {
  const cache = makeTextCache<number>(10, 5);
  cache.set('123456', 1);
  cache.set('12345', 2);
  expect(cache.get('123456')).toBeUndefined();
  expect(cache.get('12345')).toBe(2);
});

test('names that objects already have are ordinary texts', () => {
  const cache = makeTextCache<number>(10);
  expect(cache.get('__proto__')).toBeUndefined();
  expect(cache.get('constructor')).toBeUndefined();
  cache.set('__proto__', 7);
  expect(cache.get('__proto__')).toBe(7);
});
