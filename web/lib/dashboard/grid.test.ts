import { expect, test } from 'vitest';
import { freePlace } from './grid.ts';

const [small, wide, half] = [
  { width: 3, height: 2 },
  { width: 12, height: 3 },
  { width: 6, height: 4 },
];

test.each([
  ['into an empty dashboard first', [], small, 0],
  ['into the hole at the end of a row', [half, small, wide], small, 2],
  ['behind all where no hole is large enough', [half, small, wide], half, 3],
  ['behind all where there is none', [wide, wide], small, 2],
  // Beside a taller one there is room below a lower one, but only for what comes behind it.
  ['into the end of the last row', [wide, small], small, 2],
])('a new widget goes %s', (_, widgets, made, place) => {
  expect(freePlace(widgets, made)).toBe(place);
});
