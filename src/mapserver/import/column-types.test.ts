import { expect, test } from 'vitest';
import { columnType, commonKind, geometryType } from './column-types.ts';

test.each([
  ['varchar(80)', 'text'],
  ['numeric(24,15)', 'numeric'],
  ['timestamp with time zone', 'timestamptz'],
  ['json', 'jsonb'],
  ['varchar[]', 'text[]'],
  ['anything; drop', 'text'],
])('the type %s is %s', (dumped, type) => {
  expect(columnType(dumped)).toBe(type);
});

test.each([
  [
    { type: 'POLYGON', dimension: 2 },
    { kind: 'MultiPolygon', suffix: '' },
  ],
  [
    { type: 'POINT', dimension: 3 },
    { kind: 'Point', suffix: 'Z' },
  ],
  [
    { type: 'LINESTRINGM', dimension: 3 },
    { kind: 'MultiLineString', suffix: 'M' },
  ],
  [
    { type: 'MULTIPOINT', dimension: 4 },
    { kind: 'MultiPoint', suffix: 'ZM' },
  ],
  [
    { type: 'GEOMETRY', dimension: 2 },
    { kind: 'Geometry', suffix: '' },
  ],
])('the geometry %j', (dumped, type) => {
  expect(geometryType(dumped)).toEqual(type);
});

test('kinds that differ are simply geometries', () => {
  expect(commonKind(new Set(['MULTIPOLYGON']))).toBe('MultiPolygon');
  expect(commonKind(new Set(['MULTIPOLYGON', 'POINT']))).toBe('Geometry');
  expect(commonKind(new Set())).toBe('Geometry');
});
