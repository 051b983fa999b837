import { expect, test } from 'vitest';
import { extentOf, onMercator, union } from './bbox.ts';

test('the extent of a polygon is around all its points', () => {
  expect(
    extentOf({
      coordinates: [
        [
          [5, 45],
          [5, 55],
          [15, 55],
          [15, 45],
          [5, 45],
        ],
      ],
    }),
  ).toEqual([5, 45, 15, 55]);
});

test.each([null, undefined, { coordinates: [] }, { coordinates: [[[Number.NaN, 1]]] }])(
  '%j has no extent',
  (polygon) => {
    expect(extentOf(polygon)).toBeUndefined();
  },
);

test('several extents make one, and none makes none', () => {
  expect(
    union([
      [0, 0, 1, 1],
      [-5, 0.5, 0.5, 9],
    ]),
  ).toEqual([-5, 0, 1, 9]);
  expect(union([])).toBeUndefined();
});

test('the poles are cut off for the map', () => {
  expect(onMercator([-200, -90, 200, 90])).toEqual([-180, -85, 180, 85]);
});
