import { expect, test } from 'vitest';
import { barsOf } from './bars.ts';

test('many numbers are put into classes, and none is lost', () => {
  const bars = barsOf(
    Array.from({ length: 100 }, (_, i) => i),
    'other',
  );
  expect(bars).toHaveLength(12);
  expect(bars.reduce((sum, { n }) => sum + n, 0)).toBe(100);
});

test('words are counted, the most frequent first, the rest together', () => {
  const words = ['a', 'a', 'b', ...Array.from({ length: 20 }, (_, i) => `w${i}`)];
  const bars = barsOf(words, 'other');
  expect(bars[0]).toEqual({ label: 'a', n: 2 });
  expect(bars.at(-1)).toEqual({ label: 'other', n: 10 });
});

test.each([[[]], [[null, undefined, '']]])('%j has no bars', (values) => {
  expect(barsOf(values, 'other')).toEqual([]);
});

test('one value all over is one bar', () => {
  expect(barsOf([5, 5, 5], 'other')).toEqual([{ label: '5', n: 3 }]);
});
