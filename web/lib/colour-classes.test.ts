import { expect, test } from 'vitest';
import { RAMPS, rampColours } from './colour-classes.ts';

test('a ramp begins and ends with its own colours', () => {
  const colours = rampColours(RAMPS['blue'] ?? ['#000000', '#000000', '#000000'], 5);
  expect(colours).toHaveLength(5);
  expect(colours[0]).toBe('#eff3ff');
  expect(colours[2]).toBe('#6baed6');
  expect(colours[4]).toBe('#08306b');
});
