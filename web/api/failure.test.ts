import { expect, test } from 'vitest';
import { failureOf, saidOf } from './failure.ts';

test.each([
  [401, { detail: 'x' }, { kind: 'signed-out' }],
  [403, { detail: 'No.' }, { kind: 'refused', said: [{ text: 'No.' }] }],
  [403, { detail: 'Authentication credentials were not provided.' }, { kind: 'signed-out' }],
  [404, { detail: 'Not found.' }, { kind: 'not-found' }],
  [400, ['Invalid filter field: nope'], { kind: 'invalid', said: [{ text: 'Invalid filter field: nope' }] }],
  [
    400,
    { title: ['This field is required.'] },
    { kind: 'invalid', said: [{ field: 'title', text: 'This field is required.' }] },
  ],
  [400, { success: false, errors: ['a', 'b'] }, { kind: 'invalid', said: [{ text: 'a' }, { text: 'b' }] }],
  [
    400,
    { layers: [], errors: [{ detail: { name: ['a'] }, source: { name: ['not this'] } }] },
    { kind: 'invalid', said: [{ field: 'name', text: 'a' }] },
  ],
  [
    400,
    { code: '22P02', details: null, hint: null, message: 'invalid input syntax' },
    { kind: 'invalid', said: [{ text: 'invalid input syntax', code: '22P02' }] },
  ],
  [400, { title: [null, 7, { a: 1 }], other: { deep: ['x'] } }, { kind: 'invalid', said: [] }],
  [500, '<html>', { kind: 'server', status: 500, said: [] }],
  [502, undefined, { kind: 'server', status: 502, said: [] }],
])('a reply %i with %j is told as what can be done about it', (status, body, failure) => {
  expect(failureOf(status, body)).toEqual(failure);
});

test('what is wrong with a field is found by its name', () => {
  const failure = failureOf(400, { title: ['a', 'b'], slug: ['c'] });
  expect(saidOf(failure, 'title').map(({ text }) => text)).toEqual(['a', 'b']);
  expect(saidOf(failure, 'constructor')).toEqual([]);
  expect(saidOf({ kind: 'offline' }, 'title')).toEqual([]);
});
