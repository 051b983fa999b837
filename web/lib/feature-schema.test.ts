import { expect, test } from 'vitest';
import { columnKinds, keyColumn } from './feature-schema.ts';

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

test('what the columns hold is told by their types', () => {
  const kinds = columnKinds({
    properties: {
      id: { type: 'string', format: 'uuid' },
      name: { type: 'string' },
      n: { type: 'integer' },
      x: { type: 'number' },
      is: { type: 'boolean' },
      on: { type: 'string', format: 'date' },
      at: { type: 'string', format: 'date-time' },
      more: {},
      odd: 7,
    },
  });
  expect([...kinds]).toEqual([
    ['id', 'uuid'],
    ['name', 'text'],
    ['n', 'number'],
    ['x', 'number'],
    ['is', 'boolean'],
    ['on', 'date'],
    ['at', 'time'],
    ['more', 'json'],
  ]);
});
