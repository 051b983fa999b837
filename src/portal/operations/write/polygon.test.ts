import { expect, test } from 'vitest';
import { isInDegrees, parsePolygon } from './polygon.ts';

const ring = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
];
const polygon = (...rings: unknown[]) => ({ type: 'Polygon', coordinates: rings });

test('a polygon is kept with nothing else in it: heights and members of its own are left out', () => {
  const high = ring.map(([x, y]) => [x, y, 9]);
  expect(parsePolygon({ ...polygon(high, ring), crs: 1 })).toBe(JSON.stringify(polygon(ring, ring)));
  const several = { type: 'MultiPolygon', coordinates: [[ring], [ring]] };
  expect(parsePolygon(several)).toBe(JSON.stringify(several));
});

test.each([
  [null],
  [{ type: 'Polygon' }],
  [{ type: 'Point', coordinates: [0, 0] }],
  [polygon()],
  [polygon('x')],
  [polygon(ring.slice(1))],
  [polygon([...ring.slice(0, 3), [0, 1]])],
  [polygon([...ring.slice(0, 3), [1, 0]])],
  [polygon([[0], [1, 0], [1, 1], [0]])],
  [
    polygon([
      [0, 0, 0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ]),
  ],
  [polygon([[0, 0], 'xy', [1, 1], [0, 0]])],
  [
    polygon([
      [0, 0],
      [1, '0'],
      [1, 1],
      [0, 0],
    ]),
  ],
  [
    polygon([
      [0, 0],
      [1, 1e12],
      [1, 1],
      [0, 0],
    ]),
  ],
  [{ type: 'MultiPolygon', coordinates: [] }],
  [{ type: 'MultiPolygon', coordinates: [[ring], []] }],
  [{ type: 'MultiPolygon', coordinates: ring }],
])('%j is none', (value) => {
  expect(parsePolygon(value)).toBeUndefined();
});

test('one of very many positions is none', () => {
  const long = (count: number) => polygon([...Array.from({ length: count - 1 }, () => [0, 0]), [0, 0]]);
  expect([parsePolygon(long(10_000)) !== undefined, parsePolygon(long(10_001))]).toEqual([true, undefined]);
});

test('a place on the earth is once around it at most, and between the poles', () => {
  const at = (x: number, y: number) =>
    JSON.stringify(
      polygon([
        [x, y],
        [0, 0],
        [0, 0],
        [x, y],
      ]),
    );
  expect([at(360, 90), at(-360, -90), at(361, 0), at(0, 91), at(90, -91)].map(isInDegrees)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(isInDegrees(JSON.stringify({ type: 'MultiPolygon', coordinates: [[ring], [[[0, 95]]]] }))).toBe(false);
});
