import { expect, test } from 'vitest';
import { hasLongNumbers, parseExact, rememberDigits, writeExact, writeWithDigits } from './exact-numbers.ts';

test.each([
  '{"a":9007199254740993}',
  '[1,-9223372036854775808,0.10000000000000000001,1e400,-1E-400,12345678.901234567]',
  '{"text":"9007199254740993 \\"9007199254740993\\" \\\\","in":{"a list":[[12345678901234567890]]},"none":null}',
])('%s is written as it was read', (json) => {
  expect(hasLongNumbers(json)).toBe(true);
  expect(writeExact(parseExact(json))).toBe(json);
});

test('short numbers are numbers', () => {
  expect(parseExact('[1,-2.5,0,123456789012345,1e3,0e999]')).toEqual([1, -2.5, 0, 123456789012345, 1000, 0]);
  expect(hasLongNumbers('[1,-2.5,0,"Elise"]')).toBe(false);
});

test('what is stored as it came has all digits, and its numbers can be computed with', () => {
  const json = '{"a":[9007199254740993,{"b":0.12345678901234567890}],"c":2}';
  const plain = JSON.parse(json);
  rememberDigits(plain, parseExact(json));
  expect(plain.a[1].b * 2).toBeCloseTo(0.2469);
  expect([writeWithDigits(plain), writeWithDigits(plain.a[1]), writeWithDigits({ ...plain, c: 3 })]).toEqual([
    json,
    '{"b":0.12345678901234567890}',
    '{"a":[9007199254740992,{"b":0.12345678901234568}],"c":3}',
  ]);
});
