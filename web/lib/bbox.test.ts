import { expect, test } from 'vitest';
import { extentOf, onMercator, union } from './bbox.ts';

test('the extent of a polygon is around all its points', () => {
  expect(
    extentOf({
      type: 'Polygon',
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

test('the extent of several polygons is around all of them', () => {
  const square = (at: number): number[][][] => [
    [
      [at, at],
      [at, at + 1],
      [at + 1, at + 1],
      [at, at],
    ],
  ];
  expect(extentOf({ type: 'MultiPolygon', coordinates: [square(0), square(10)] })).toEqual([0, 0, 11, 11]);
});

test.each([
  null,
  undefined,
  { type: 'Polygon', coordinates: [] } as const,
  { type: 'Polygon', coordinates: [[[Number.NaN, 1]]] } as const,
])('%j has no extent', (polygon) => {
  expect(extentOf(polygon)).toBeUndefined();
});

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
