import { expect, test } from 'vitest';
import { equalBreaks, quantileBreaks, RAMPS, rampColours } from './colour-classes.ts';

test('a ramp begins and ends with its own colours', () => {
  const colours = rampColours(RAMPS['blue'] ?? ['#000000', '#000000', '#000000'], 5);
  expect(colours).toHaveLength(5);
  expect(colours[0]).toBe('#eff3ff');
  expect(colours[2]).toBe('#6baed6');
  expect(colours[4]).toBe('#08306b');
});

test('classes of equal number and of equal width', () => {
  expect(quantileBreaks([1, 2, 3, 4, 5, 6, 7, 8], 4)).toEqual([3, 5, 7]);
  expect(quantileBreaks([5, 5, 5, 5], 4)).toEqual([]);
  expect(quantileBreaks([], 4)).toEqual([]);
  expect(equalBreaks(0, 100, 4)).toEqual([25, 50, 75]);
  expect(equalBreaks(1, 1, 4)).toEqual([]);
});
