import { expect, test } from 'vitest';
import { cutAntimeridian } from './cut-antimeridian.ts';

test('a polygon that does not cross is left as it is', () => {
  const square = [
    [
      [0, 0],
      [10, 0],
      [10, 10],
      [0, 10],
      [0, 0],
    ],
  ];
  expect(cutAntimeridian([square])).toEqual([square]);
});

test.each([
  [-180, 180],
  [170, 180],
  [-180, -170],
])('a box from %i to %i ends at the line and is left as it is', (west, east) => {
  const box = [
    [
      [west, 0],
      [(west + east) / 2, 0],
      [east, 0],
      [east, 10],
      [(west + east) / 2, 10],
      [west, 10],
      [west, 0],
    ],
  ];
  expect(cutAntimeridian([box])).toEqual([box]);
});

test.each([
  [170, 180.5],
  [-180.5, -170],
])('a box from %d to %d has a part beyond the line', (west, east) => {
  const box = [
    [
      [west, 0],
      [east, 0],
      [east, 10],
      [west, 10],
      [west, 0],
    ],
  ];
  const xs = cutAntimeridian([box]).map(([ring = []]) => ring.map(([x = 0]) => x));
  expect(xs).toHaveLength(2);
  for (const x of xs.flat()) expect(Math.abs(x)).toBeLessThanOrEqual(180);
});

test('a box across the line is two boxes', () => {
  const box = [
    [
      [170, 0],
      [-170, 0],
      [-170, 10],
      [170, 10],
      [170, 0],
    ],
  ];
  const parts = cutAntimeridian([box]);
  expect(parts).toHaveLength(2);
  const spans = parts.map(([ring = []]) => [
    Math.min(...ring.map(([x = 0]) => x)),
    Math.max(...ring.map(([x = 0]) => x)),
  ]);
  expect(spans).toEqual([
    [170, 180],
    [-180, -170],
  ]);
});

test('a hole stays in the part it lies in', () => {
  const box = [
    [
      [160, 0],
      [-160, 0],
      [-160, 20],
      [160, 20],
      [160, 0],
    ],
    [
      [165, 5],
      [170, 5],
      [170, 10],
      [165, 10],
      [165, 5],
    ],
  ];
  expect(cutAntimeridian([box]).map((rings) => rings.length)).toEqual([2, 1]);
});

test('a ring around the south pole reaches it, from edge to edge', () => {
  const ring = [
    [
      [0, -70],
      [90, -70],
      [180, -70],
      [-90, -70],
      [0, -70],
    ],
  ];
  const parts = cutAntimeridian([ring]);
  const points = parts.flat(2);
  expect(Math.min(...points.map(([, y = 0]) => y))).toBe(-90);
  expect(Math.min(...points.map(([x = 0]) => x))).toBe(-180);
  expect(Math.max(...points.map(([x = 0]) => x))).toBe(180);
  for (const part of parts) for (const one of part) expect(one.at(-1)).toEqual(one[0]);
});
