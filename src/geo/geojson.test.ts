import { expect, test } from 'vitest';
import { type GeoGeometry, isOnEarth, parseGeometry } from './geojson.ts';

const RING = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
];
const collection = (depth: number): unknown =>
  depth === 0
    ? { type: 'Point', coordinates: [1, 2] }
    : { type: 'GeometryCollection', geometries: [collection(depth - 1)] };

test.each([
  { type: 'Point', coordinates: [1, 2] },
  { type: 'Point', coordinates: [1, 2, 3] },
  { type: 'MultiPoint', coordinates: [[1, 2]] },
  { type: 'LineString', coordinates: RING.slice(0, 2) },
  { type: 'MultiLineString', coordinates: [RING.slice(0, 2)] },
  { type: 'Polygon', coordinates: [RING, RING] },
  { type: 'MultiPolygon', coordinates: [[RING]] },
  { type: 'GeometryCollection', geometries: [] },
  collection(8),
])('%j is a geometry', (value) => {
  expect(parseGeometry(value)).toEqual({ ok: true, value });
});

const NUMBERS = 'a position has two or three numbers';
const LISTS = 'coordinates are lists';
const least = (count: number): string => `at least ${count} positions or parts are needed`;

test.each<[unknown, string]>([
  [null, 'a geometry is an object'],
  ['Point', 'a geometry is an object'],
  [[], 'a geometry is an object'],
  [
    { type: 'Circle' },
    'the type of a geometry is Point, LineString, Polygon, their Multi forms, or GeometryCollection',
  ],
  [{ type: 'Point' }, NUMBERS],
  [{ type: 'Point', coordinates: [1] }, NUMBERS],
  [{ type: 'Point', coordinates: [1, 2, 3, 4] }, NUMBERS],
  [{ type: 'Point', coordinates: [1, '2'] }, NUMBERS],
  [{ type: 'Point', coordinates: [1, Number.POSITIVE_INFINITY] }, NUMBERS],
  [{ type: 'MultiPoint', coordinates: [] }, least(1)],
  [{ type: 'LineString', coordinates: [[1, 2]] }, least(2)],
  [{ type: 'LineString', coordinates: [[1, 2], 3] }, NUMBERS],
  [{ type: 'MultiLineString', coordinates: [] }, least(1)],
  [{ type: 'MultiLineString', coordinates: [[[1, 2]]] }, least(2)],
  [{ type: 'MultiLineString', coordinates: [{}] }, LISTS],
  [{ type: 'Polygon', coordinates: [] }, least(1)],
  [{ type: 'Polygon', coordinates: [RING.slice(0, 3)] }, least(4)],
  [{ type: 'Polygon', coordinates: [[...RING.slice(0, 3), [0, 1]]] }, 'a ring ends where it begins'],
  [{ type: 'Polygon', coordinates: [RING, [...RING.slice(0, 3), [1, 0]]] }, 'a ring ends where it begins'],
  [{ type: 'MultiPolygon', coordinates: [] }, least(1)],
  [{ type: 'GeometryCollection', geometries: {} }, LISTS],
  [{ type: 'GeometryCollection', geometries: [{ type: 'Point' }] }, NUMBERS],
  [collection(9), 'the geometry is nested too deeply'],
])('%j is none', (value, said) => {
  expect(parseGeometry(value)).toEqual({ ok: false, error: { kind: 'bad-geometry', said } });
});

test('a million positions are a geometry, and one more is none', () => {
  const coordinates = new Array(1_000_000).fill([1, 2]);
  expect(parseGeometry({ type: 'MultiPoint', coordinates }).ok).toBe(true);
  coordinates.push([1, 2]);
  expect(parseGeometry({ type: 'MultiPoint', coordinates })).toMatchObject({
    error: { said: 'the geometry has too many positions' },
  });
});

test.each<[GeoGeometry, boolean, boolean]>([
  [{ type: 'Point', coordinates: [540, 90] }, false, true],
  [{ type: 'Point', coordinates: [541, 0] }, false, false],
  [{ type: 'Point', coordinates: [0, -91] }, false, false],
  [{ type: 'Point', coordinates: [0, -91] }, true, true],
  [{ type: 'Point', coordinates: [91, 0] }, true, false],
  [{ type: 'Polygon', coordinates: [RING, [[0, 91]]] }, false, false],
  [{ type: 'GeometryCollection', geometries: [{ type: 'LineString', coordinates: RING }] }, false, true],
  [{ type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [600, 0] }] }, false, false],
])('whether %j is on the earth (north first: %s): %s', (geometry, isNorthFirst, isThere) => {
  expect(isOnEarth(geometry, isNorthFirst)).toBe(isThere);
});
