import { expect, test } from 'vitest';
import { lookKind } from './default-style.ts';

test.each([
  ['Point', 'point'],
  ['MultiPoint', 'point'],
  ['LineString', 'line'],
  ['MultiLineString', 'line'],
  ['Polygon', 'polygon'],
  ['MultiPolygon', 'polygon'],
  ['GeometryCollection', 'mixed'],
  ['Geometry', 'mixed'],
])('a layer of %s looks like a layer of the kind %s', (geometry, kind) => {
  expect(lookKind(geometry)).toBe(kind);
});
