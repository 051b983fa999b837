import { expect, test } from 'vitest';
import { MAX_DISTINCT, pixelTally, TooManyDistinct } from './pixel-statistics.ts';

const told = (numbers: readonly number[], isCounted = false) => {
  const tally = pixelTally(isCounted);
  tally.add(Float64Array.from(numbers), 0, numbers.length);
  return tally.told();
};

test('of numbers, what stands for nothing left out', () => {
  expect(told([1, Number.NaN, 2, 3, 6], true)).toEqual({
    count: 4,
    sum: 12,
    mean: 3,
    min: 1,
    max: 6,
    stddev: Math.sqrt(14 / 4),
    majority: 1,
  });
  expect(told([Number.NaN])).toBeUndefined();
  expect(told([7, 7, 3, 3, 9], true)?.majority).toBe(3);
});

test('large numbers that hardly differ keep their difference', () => {
  const numbers = Array.from({ length: 1000 }, (_, i) => 1e9 + (i % 2));
  expect(told(numbers)).toMatchObject({ mean: 1e9 + 0.5, stddev: 0.5 });
});

test('a part of the numbers is added, and too many different ones end it', () => {
  const tally = pixelTally(false);
  tally.add(Float64Array.of(1, 2, 3, 4), 1, 3);
  expect(tally.told()).toMatchObject({ count: 2, sum: 5 });
  expect(() =>
    told(
      Array.from({ length: MAX_DISTINCT + 1 }, (_, i) => i),
      true,
    ),
  ).toThrow(TooManyDistinct);
});
