import { expect, test } from 'vitest';
import { failureOf } from './failure.ts';

test.each([
  [401, { detail: 'x' }, { kind: 'signed-out' }],
  [403, { detail: 'No.' }, { kind: 'refused', message: 'No.' }],
  [404, { detail: 'Not found.' }, { kind: 'not-found' }],
  [400, ['Invalid filter field: nope'], { kind: 'invalid', message: 'Invalid filter field: nope', fields: {} }],
  [
    400,
    { title: ['This field is required.'] },
    {
      kind: 'invalid',
      message: 'title: This field is required.',
      fields: { title: 'This field is required.' },
    },
  ],
  [400, { success: false, errors: ['a', 'b'] }, { kind: 'invalid', message: 'a b', fields: { errors: 'a b' } }],
  [500, '<html>', { kind: 'server', status: 500, message: '<html>' }],
  [502, undefined, { kind: 'server', status: 502, message: '' }],
])('a reply %i with %j is told as what can be done about it', (status, body, failure) => {
  expect(failureOf(status, body)).toEqual(failure);
});
