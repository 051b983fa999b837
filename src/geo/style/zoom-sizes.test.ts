import { expect, test } from 'vitest';
import { byZoom, crowdZoom, nearBy, readByZoom } from './zoom-sizes.ts';

test('the more features there are in a place, the nearer one has to be to tell them apart', () => {
  const germany = [6, 47, 15, 55] as const;
  const some = crowdZoom(1000, germany) ?? 0;
  // Four times as many are half as far apart: one zoom.
  expect(crowdZoom(4000, germany)).toBe(some + 1);
  expect(crowdZoom(100_000, germany)).toBe(8.5);
  expect(crowdZoom(1000, [-180, -90, 180, 90])).toBeCloseTo(0);
  // In a row, and in one place.
  expect(crowdZoom(1000, [7, 50, 8, 50])).toBe(12);
  expect(crowdZoom(1000, [7, 50, 7, 50])).toBe(18);
});

test('few features are no crowd, even in one place, and an unknown number is none', () => {
  for (const rows of [0, 1, 400]) expect(crowdZoom(rows, [7, 50, 7, 50])).toBeUndefined();
});

test('sizes grow between two zooms, and are plain numbers where nothing is crowded', () => {
  const radius = byZoom(8, 1.5, 5);
  expect(radius).toEqual(['interpolate', ['linear'], ['zoom'], 6, 1.5, 10, 5]);
  expect(readByZoom(radius)).toEqual({ large: 5, crowd: 8 });
  expect(nearBy(radius)).toBe(5);
  for (const crowd of [undefined, -4, -2]) expect(byZoom(crowd, 1.5, 5)).toBe(5);
  expect(readByZoom(5)).toEqual({ large: 5, crowd: undefined });
});

test.each([
  ['red'],
  [['interpolate', ['linear'], ['get', 'n'], 0, 1, 4, 5]],
  [['interpolate', ['linear'], ['zoom'], 0, 1, 3, 5]],
  [['interpolate', ['linear'], ['zoom'], 0, 1, 4, ['get', 'n']]],
])('a size made by other means is not taken for one of ours: %j', (value) => {
  expect(readByZoom(value)).toBeUndefined();
});
