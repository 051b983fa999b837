import { expect, test } from 'vitest';
import { parseDecimal } from './decimal.ts';

test.each([
  ['0', 0],
  ['-12', -12],
  ['+1.5', 1.5],
  ['1.', 1],
  ['.5', 0.5],
  ['1e3', 1000],
  ['-1.25E-2', -0.0125],
])('%s is a number', (text, number) => {
  expect(parseDecimal(text)).toBe(number);
});

test.each(['', '.', '-', '1 ', ' 1', '1,5', '0x10', '1e', 'e5', '1e999999', '1e999', 'Infinity', 'NaN', '1.2.3', '１'])(
  '%j is none',
  (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  },
);

test('a text longer than any number is none, whatever stands in it', () => {
  expect(parseDecimal('1'.repeat(300))).toBe(Number('1'.repeat(300)));
  expect(parseDecimal(`0.${'1'.repeat(400)}`)).toBeUndefined();
});
