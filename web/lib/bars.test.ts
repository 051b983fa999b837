import { expect, test } from 'vitest';
import type { ColumnStatistics } from '../api/statistics.ts';
import { barsOf } from './bars.ts';
import { makeText } from './i18n/text.ts';

const t = makeText('en');

const NOTHING: ColumnStatistics = {
  kind: 'other',
  rows: 0,
  sampled_from: null,
  values: 0,
  distinct: 0,
  max: null,
  histogram: [],
  categories: [],
  breaks: [],
  counts: [],
};

test('many numbers are shown by class', () => {
  const histogram = Array.from({ length: 12 }, (_, i) => ({ from: i * 1000, to: (i + 1) * 1000, count: i }));
  const bars = barsOf(t, 'height', { ...NOTHING, kind: 'number', distinct: 100, values: 66, histogram }, 'other');
  expect(bars).toHaveLength(12);
  expect(bars[1]).toEqual({ label: '1000', n: 1 });
});

test('few numbers are shown one by one', () => {
  const categories = [{ value: 5, count: 3 }];
  expect(barsOf(t, 'height', { ...NOTHING, kind: 'number', distinct: 1, values: 3, categories }, 'other')).toEqual([
    { label: '5', n: 3 },
  ]);
});

test('words that are not among the most frequent are the others', () => {
  const categories = [
    { value: 'a', count: 20 },
    { value: 'b', count: 5 },
  ];
  expect(barsOf(t, 'height', { ...NOTHING, distinct: 40, values: 30, categories }, 'other').at(-1)).toEqual({
    label: 'other',
    n: 5,
  });
});

test('nothing has no bars', () => {
  expect(barsOf(t, 'height', NOTHING, 'other')).toEqual([]);
});
