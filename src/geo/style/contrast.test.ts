import { expect, test } from 'vitest';
import { isFaint } from './contrast.ts';

const [LIGHT, DARK] = ['#f7f4ec', '#1a2422'];

test.each([
  ['#ffffff', 1, LIGHT, true],
  ['#ffffcc', 1, LIGHT, true],
  ['#e5f5e0', 1, LIGHT, true],
  ['#a1d99b', 1, LIGHT, false],
  ['#a1d99b', 0.2, LIGHT, true],
  ['#0b877d', 1, LIGHT, false],
  ['#0b877d', 0.05, LIGHT, true],
  ['#ffffff', 1, DARK, false],
  ['#1a1a1a', 1, DARK, true],
  ['rgba(255, 0, 0, 0.05)', 1, LIGHT, true],
  ['no colour', 1, LIGHT, false],
])('%s with opacity %d over %s: faint is %s', (colour, opacity, ground, faint) => {
  expect(isFaint(colour, opacity, ground)).toBe(faint);
});
