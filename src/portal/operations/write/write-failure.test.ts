import { expect, test } from 'vitest';
import type { DbError } from '../../../pg/driver.ts';
import { map } from '../../kinds/map/fields.ts';
import { group } from '../../kinds/people/group-fields.ts';
import { elementMessages, writeFailure } from './write-failure.ts';

const refused = (sqlstate: string, constraint?: string, message = 'no'): DbError =>
  ({ kind: 'sql', sqlstate, message, ...(constraint === undefined ? {} : { about: { constraint } }) }) as DbError;

test.each([
  ['resource_zoom_check', 'zoom'],
  ['resource_zoom_check1', 'zoom'],
  // The field has another name than its column.
  ['resource_category_id_check', 'category'],
])('a constraint (%s) is about its field', (constraint, field) => {
  expect(writeFailure(refused('23514', constraint), map)).toEqual({
    kind: 'invalid-fields',
    fields: { [field]: ['This value is not allowed.'] },
  });
});

test('what cannot be told of a field stays an error of the database', () => {
  for (const error of [
    refused('23514'),
    refused('23514', 'elsewhere_zoom_check'),
    refused('23505', 'resource_zoom_check'),
    { kind: 'lost', message: 'x' } as const,
  ])
    expect(writeFailure(error, map)).toEqual({ kind: 'database', error });
});

test('what is wrong with permissions is told in the database’s own sentence, where there are any', () => {
  const said = refused('22023', undefined, 'unknown user "x"');
  expect(writeFailure(said, group)).toEqual({ kind: 'database', error: said });
  expect(writeFailure(said, map)).toEqual({
    kind: 'invalid-fields',
    fields: { permissions: ['unknown user "x"'] },
  });
  expect(writeFailure(refused('22024'), map)).toMatchObject({ kind: 'database' });
});

test('of several elements the one is told what is about it, and what is nobody’s mistake is the request’s', () => {
  expect(elementMessages({ kind: 'invalid-fields', fields: { a: ['b'] } })).toEqual({ a: ['b'] });
  expect(elementMessages({ kind: 'invalid-request', messages: ['c'] })).toEqual({ non_field_errors: ['c'] });
  expect(elementMessages({ kind: 'not-found' })).toBeUndefined();
  expect(elementMessages({ kind: 'database', error: { kind: 'lost', message: 'x' } })).toBeUndefined();
});
