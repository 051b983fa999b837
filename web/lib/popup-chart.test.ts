import { expect, test } from 'vitest';
import { chartParts, pieSlices } from './popup-chart.ts';

const parts = (row: object, columns = ['a', 'b', 'c']) =>
  chartParts(columns, row as Record<string, unknown>, new Map([['a', 'Alpha']]), (_, value) => `${value}!`);

test('a chart has the columns that are numbers, long ones too, under their names', () => {
  expect(parts({ a: 1, b: '12345678901234567890', c: 'none', d: 4 })).toEqual([
    { column: 'a', label: 'Alpha', value: 1, shown: '1!' },
    { column: 'b', label: 'b', value: 12345678901234567000, shown: '12345678901234567890!' },
  ]);
  expect(parts({ a: null, b: '', c: Number.NaN })).toEqual([]);
});

test('slices follow each other; what is nought or less has none, and one alone is a circle', () => {
  const [a, b, c] = pieSlices(parts({ a: 1, b: -5, c: 1 }));
  expect(a?.path).toBe('M0 0L0 -48A48 48 0 0 1 0 48Z');
  expect(b?.path).toBe('');
  expect(c?.path).toBe('M0 0L0 48A48 48 0 0 1 0 -48Z');
  expect(pieSlices(parts({ a: 3 }))[0]?.path).toMatch(/^M0 -48A.*Z$/);
  expect(pieSlices(parts({ a: 0, b: 0 })).map(({ path }) => path)).toEqual(['', '']);
});
