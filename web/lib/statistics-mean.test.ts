import { expect, test } from 'vitest';
import { meanOf } from './statistics-mean.ts';

test('a mean is that of the bins, by how many are in each; what is below nought counts as nought', () => {
  expect(
    meanOf([
      { from: 0, to: 10, count: 3 },
      { from: 10, to: 20, count: 1 },
    ]),
  ).toBe(7.5);
  expect(
    meanOf([
      { from: -20, to: 0, count: 1 },
      { from: 0, to: 20, count: 1 },
    ]),
  ).toBe(5);
  expect(meanOf([{ from: -2, to: -1, count: 4 }])).toBeUndefined();
  expect(meanOf([])).toBeUndefined();
});
