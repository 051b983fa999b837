import { expect, test } from 'vitest';
import { keyColumn } from './feature-schema.ts';

test.each([
  [{ properties: { name: {}, code: { type: 'string', 'x-ogc-role': 'id' } } }, 'code'],
  [{ properties: { geom: { 'x-ogc-role': 'primary-geometry' } } }, undefined],
  [{ properties: null }, undefined],
  [{ properties: ['id'] }, undefined],
  [{ properties: { a: 'id', b: null } }, undefined],
  ['x', undefined],
  [null, undefined],
  [undefined, undefined],
])('of the schema %j the column %s names a feature', (schema, key) => {
  expect(keyColumn(schema)).toBe(key);
});
