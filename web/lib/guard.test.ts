import { expect, test } from 'vitest';
import { isEither, isListOf, isNumber, isOneOf, isRecordOf, isText } from './guard.ts';

const isPerson = isRecordOf<{ readonly name: string; readonly age?: number | null }>({
  name: isText,
  age: isEither(isNumber, isOneOf(null, undefined)),
});

test.each([
  [{ name: 'Ada', age: 36 }, true],
  [{ name: 'Ada', age: null, more: 1 }, true],
  [{ name: 'Ada' }, true],
  [{ age: 36 }, false],
  [{ name: 'Ada', age: '36' }, false],
  [['Ada'], false],
  [null, false],
])('%j is a record with these members: %s', (value, is) => {
  expect(isPerson(value)).toBe(is);
});

test('a list is one when everything in it is', () => {
  expect(isListOf(isText)(['a', 'b'])).toBe(true);
  expect(isListOf(isText)(['a', 1])).toBe(false);
  expect(isListOf(isText)('ab')).toBe(false);
});
