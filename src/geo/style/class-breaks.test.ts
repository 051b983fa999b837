import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classBreaks, type NumberGroup, type Numbers, naturalBreaks, readableBreaks } from './class-breaks.ts';

const NUMBERS: Numbers = {
  min: 1,
  max: 100_000,
  average: 50_000.5,
  deviation: 28_867.5,
  quantiles: [20_000.8, 40_000.6, 60_000.4, 80_000.2],
  groups: [],
};

describe('class breaks', () => {
  test.each([
    ['quantile', 5, [20_000, 40_000, 60_000, 80_000]],
    ['equal', 4, [25_000, 50_000, 75_000]],
    ['deviation', 4, [21_000, 50_000, 79_000]],
  ] as const)('by %s in %i classes', (method, classes, breaks) => {
    expect(classBreaks(method, classes, NUMBERS)).toEqual(breaks);
  });

  test('classes in which nothing would be are left out', () => {
    const same = { ...NUMBERS, min: 5, max: 5, deviation: 0, quantiles: [5, 5, 5] };
    for (const method of ['quantile', 'equal', 'deviation', 'natural'] as const)
      expect(classBreaks(method, 4, same)).toEqual([]);
    expect(classBreaks('quantile', 4, { ...NUMBERS, quantiles: [1, 1, 70] })).toEqual([70]);
  });

  test('digits are few, and enough to tell classes apart', () => {
    expect(readableBreaks([2000.123, 2000.456, 2000.789], 2000, 2001)).toEqual([2000.123, 2000.456, 2000.79]);
    expect(readableBreaks([0.000_123_4], 0, 0.001)).toEqual([0.000_123]);
    expect(readableBreaks([-333.333, 333.333], -1000, 1000)).toEqual([-330, 330]);
  });
});

describe('natural breaks', () => {
  const groupsOf = (values: readonly number[]): readonly NumberGroup[] => {
    const counts = new Map<number, number>();
    for (const value of [...values].sort((a, b) => a - b)) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts].map(([value, count]) => ({ low: value, mean: value, count }));
  };

  test('are where the gaps are', () => {
    expect(naturalBreaks(groupsOf([1, 2, 2, 3, 10, 11, 12, 100, 101]), 3)).toEqual([10, 100]);
    expect(naturalBreaks(groupsOf([1, 1, 1]), 3)).toEqual([]);
    expect(naturalBreaks([], 3)).toEqual([]);
    expect(naturalBreaks(groupsOf([1, 2]), 5)).toEqual([2]);
  });

  test('of values far from zero are as of those beside it', () => {
    const far = (values: readonly number[]): readonly number[] => values.map((value) => value + 1e9);
    const values = [1, 2, 2, 3, 10, 11, 12, 100, 101];
    expect(naturalBreaks(groupsOf(far(values)), 3)).toEqual(far([10, 100]));
  });

  test('no other breaks leave values closer to the means of their classes', () => {
    const spread = (values: readonly number[]): number => {
      const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
      return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    };
    const costOf = (values: readonly number[], breaks: readonly number[]): number =>
      [Number.NEGATIVE_INFINITY, ...breaks].reduce(
        (sum, low, i) =>
          sum + spread(values.filter((value) => value >= low && value < (breaks[i] ?? Number.POSITIVE_INFINITY))),
        0,
      );
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 3, maxLength: 12 }), (values) => {
        const distinct = [...new Set(values)].sort((a, b) => a - b);
        const found = costOf(values, naturalBreaks(groupsOf(values), 3));
        for (let i = 1; i < distinct.length; i++)
          for (let j = i + 1; j < distinct.length; j++)
            expect(found).toBeLessThanOrEqual(costOf(values, [distinct[i] ?? 0, distinct[j] ?? 0]) + 1e-6);
      }),
    );
  });
});
