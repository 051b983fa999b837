import { expect, test } from 'vitest';
import { prefers } from './preference.ts';

test.each([
  ['return=representation', true],
  ['respond-async, return=representation', true],
  ['RETURN = "Representation"; foo=1', true],
  ['return=minimal', false],
  ['no-return=representation', false],
  ['handling=strict', false],
  ['', false],
  [',;==', false],
  [undefined, false],
])('Prefer: %s asks for the record: %s', (prefer, expected) => {
  expect(prefers({ prefer }, 'return', 'representation')).toBe(expected);
});

test('a header that was sent twice is one list', () => {
  expect(prefers({ prefer: ['a=b', 'handling=strict'] }, 'handling', 'strict')).toBe(true);
});
