import type { Geometry, MultiPolygon, Polygon } from 'geojson';
import { expect, test } from 'vitest';
import { moved, piecesOf, restored, rounded, vertexKey, withoutVertex, withPieces } from './pieces.ts';

const holed: Polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [0.1234567890123, 0, 5],
      [10, 0, 6],
      [10, 10, 7],
      [0.1234567890123, 0, 5],
    ],
    [
      [4, 1, 1],
      [6, 1, 1],
      [6, 3, 1],
      [4, 1, 1],
    ],
  ],
};
const shapes: readonly Geometry[] = [
  { type: 'Point', coordinates: [1, 2, 3] },
  {
    type: 'MultiPoint',
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  },
  {
    type: 'LineString',
    coordinates: [
      [0, 0],
      [1, 1],
    ],
  },
  {
    type: 'MultiLineString',
    coordinates: [
      [
        [0, 0],
        [1, 1],
      ],
      [
        [2, 2],
        [3, 3],
      ],
    ],
  },
  holed,
  { type: 'MultiPolygon', coordinates: [holed.coordinates, [holed.coordinates[1] ?? []]] },
  { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }, holed] },
];

test.each(shapes)('$type is the same after it was taken to pieces', (shape) => {
  expect(
    withPieces(
      shape,
      piecesOf(shape).map(({ vertices }) => vertices),
    ),
  ).toEqual(shape);
});

test('vertices that were not touched keep their digits and heights, new ones get the height of the nearest', () => {
  const ring = holed.coordinates[0] ?? [];
  const drawn = ring.map(rounded);
  drawn.splice(1, 1, [9, 0.5], [10, 0]);
  expect(restored(drawn, ring, new Map())).toEqual([
    [0.1234567890123, 0, 5],
    [9, 0.5, 6],
    [10, 0, 6],
    [10, 10, 7],
    [0.1234567890123, 0, 5],
  ]);
});

test('a vertex that snapped to another has the digits of that one', () => {
  const other = [3.24159265358979, 2.61828182845905];
  expect(restored([rounded(other)], [[0, 0]], new Map([[vertexKey(other), other]]))).toEqual([other]);
});

test('a shape moves as a whole, holes and heights with it', () => {
  const there = moved(holed, [10, 0], [11, 0]);
  expect(there.coordinates[1]?.[0]?.map((n) => Number(n.toFixed(9)))).toEqual([5, 1, 1]);
  expect(there.coordinates[0]?.[2]?.[2]).toBe(7);
});

test('a ring keeps three corners, a line two ends', () => {
  expect(withoutVertex(holed, 1, 0)).toBeUndefined();
  expect(
    withoutVertex(
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [1, 1],
        ],
      },
      0,
      0,
    ),
  ).toBeUndefined();
  const square: MultiPolygon = {
    type: 'MultiPolygon',
    coordinates: [
      [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
          [0, 0],
        ],
      ],
    ],
  };
  expect(withoutVertex(square, 0, 0)?.coordinates).toEqual([
    [
      [
        [1, 0],
        [1, 1],
        [0, 1],
        [1, 0],
      ],
    ],
  ]);
});
