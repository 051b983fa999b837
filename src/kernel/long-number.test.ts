import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ExactNumber, exactNumber, LongNumber, orderOf } from './long-number.ts';

test.each(['0', '-0', '1.50', '9007199254740992', '0.30000000000000004', '1e21', '123456789012345680000', '5e-324'])(
  '%s is a number of JavaScript',
  (numeral) => {
    expect(exactNumber(numeral)).toBe(Number(numeral));
  },
);

test.each(['9007199254740993', '0.12345678901234567890', '1e400', '-1e400', '1e-400', '12345678901234567890'])(
  '%s keeps its digits',
  (numeral) => {
    const number = exactNumber(numeral);
    expect(number).toBeInstanceOf(LongNumber);
    expect(String(number)).toBe(numeral);
    expect(Number(number)).toBe(Number(numeral));
  },
);

test('numerals are ordered as the decimals they are', () => {
  const decimal = fc.record({
    whole: fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n }),
    exponent: fc.integer({ min: -6, max: 6 }),
  });
  const scaled = ({ whole, exponent }: { whole: bigint; exponent: number }): bigint =>
    whole * 10n ** BigInt(exponent + 6);
  const written = ({ whole, exponent }: { whole: bigint; exponent: number }): ExactNumber =>
    exactNumber(`${whole}${exponent === 0 ? '' : `e${exponent}`}`);
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      const [left, right] = [scaled(a), scaled(b)];
      expect(Math.sign(orderOf(written(a), written(b)))).toBe(left < right ? -1 : left > right ? 1 : 0);
    }),
  );
});

test('nothing finite is beyond infinity, and NaN has no order', () => {
  const long = exactNumber('1e400');
  expect(orderOf(long, Number.POSITIVE_INFINITY)).toBeLessThan(0);
  expect(orderOf(Number.NEGATIVE_INFINITY, exactNumber('-1e400'))).toBeLessThan(0);
  expect(orderOf(long, 0)).toBeGreaterThan(0);
  expect(orderOf(long, Number.NaN)).toBeNaN();
});
