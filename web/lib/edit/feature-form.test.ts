import { expect, test } from 'vitest';
import { featureForm, fieldValue, inputText } from './feature-form.ts';

const form = featureForm({
  required: ['name'],
  properties: {
    fid: { type: 'integer', 'x-ogc-role': 'id', readOnly: true },
    geom: { format: 'geometry-multipolygon', 'x-ogc-role': 'primary-geometry' },
    name: { type: 'string', title: 'Name', maxLength: 5 },
    height: { type: 'number', exclusiveMinimum: 0, maximum: 150 },
    storeys: { type: 'integer' },
    kind: { type: 'string', enum: ['street', 'park'] },
    species: { type: 'integer', oneOf: [{ const: 1, title: 'Oak' }, { const: 2 }] },
    planted: { type: 'string', format: 'date' },
    is_new: { type: 'boolean' },
    data: {},
    label: { type: 'string', readOnly: true },
  },
});
const field = (name: string) => {
  const found = form.fields.find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

test('key and geometry are no fields', () => {
  expect([form.key, form.geometryColumn, form.geometryType]).toEqual(['fid', 'geom', 'multipolygon']);
  expect(form.fields.map(({ name }) => name)).not.toContain('geom');
  expect(field('label').isReadOnly).toBe(true);
  expect(field('species').choices).toEqual([
    { value: 1, label: 'Oak' },
    { value: 2, label: '2' },
  ]);
});

test.each([
  ['name', 'Oak', { value: 'Oak' }],
  ['name', '', { value: '' }],
  ['name', 'too long', { fault: { kind: 'too-long', n: 5 } }],
  ['height', '0', { fault: { kind: 'above', n: 0 } }],
  ['height', '151', { fault: { kind: 'at-most', n: 150 } }],
  ['height', '1,5', { value: 1.5 }],
  ['height', 'tall', { fault: { kind: 'number' } }],
  ['height', '', { value: null }],
  ['storeys', '1.5', { fault: { kind: 'whole' } }],
  ['kind', 'park', { value: 'park' }],
  ['species', '1', { value: 1 }],
  ['planted', '2020-02-03', { value: '2020-02-03' }],
  ['planted', 'spring', { fault: { kind: 'date' } }],
  ['is_new', 'true', { value: true }],
  ['data', '{"a":1}', { value: { a: 1 } }],
  ['data', '{', { fault: { kind: 'json' } }],
])('%s takes %j as it should', (name, text, expected) => {
  expect(fieldValue(text, field(name))).toEqual(expected);
});

test('a moment is shown and read again as the same one', () => {
  const time = { ...field('planted'), kind: 'time' as const };
  const shown = inputText('2020-01-02T03:04:05+00:00', time);
  expect(fieldValue(shown, time)).toEqual({ value: '2020-01-02T03:04:05.000Z' });
});
