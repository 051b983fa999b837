// Numbers of data and of clients that JavaScript's numbers may not hold: a bigint beyond 2^53, a long decimal, 1e400. Most are a number
// after all; the others keep their digits, can be compared, and are written as they were.

import { trimEndOf } from './trim-end.ts';

/** Text, JSON and arithmetic see its digits, and the nearest double. */
export class LongNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toString(): string {
    return this.digits;
  }

  valueOf(): number {
    return Number(this.digits);
  }
}

export type ExactNumber = number | LongNumber;

export function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === 'number' || value instanceof LongNumber;
}

/** Of a decimal numeral: a number, if its shortest spelling is the same decimal. */
export function exactNumber(numeral: string): ExactNumber {
  const number = Number(numeral);
  // Fifteen digits are the same number in decimal and in binary.
  if (numeral.length < 16 && !/e/i.test(numeral)) return number;
  const spelled = String(number);
  if (spelled === numeral) return number;
  return Number.isFinite(number) && order(partsOf(spelled), partsOf(numeral)) === 0 ? number : new LongNumber(numeral);
}

/** Below 0: `a` is less than `b`. Numbers are what their shortest spelling says; NaN has no order. */
export function orderOf(a: ExactNumber, b: ExactNumber): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN;
  for (const [one, sign] of [
    [a, 1],
    [b, -1],
  ] as const)
    if (typeof one === 'number' && !Number.isFinite(one)) return sign * one;
  return order(partsOf(String(a)), partsOf(String(b)));
}

/** ± 0.digits × 10^point; without digits it is zero. */
type Parts = { readonly sign: 1 | -1; readonly digits: string; readonly point: number };

function partsOf(numeral: string): Parts {
  const [mantissa = '', exponent = '0'] = numeral.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace(/^[+-]/, '').split('.');
  const all = whole + fraction;
  const first = all.search(/[1-9]/);
  if (first === -1) return { sign: 1, digits: '', point: Number.NEGATIVE_INFINITY };
  return {
    sign: mantissa.startsWith('-') ? -1 : 1,
    digits: trimEndOf(all.slice(first), '0'),
    point: whole.length - first + Number(exponent),
  };
}

function order(a: Parts, b: Parts): number {
  if (a.digits === '' || b.digits === '') return (a.digits === '' ? 0 : a.sign) - (b.digits === '' ? 0 : b.sign);
  if (a.sign !== b.sign) return a.sign;
  if (a.point !== b.point) return a.point < b.point ? -a.sign : a.sign;
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -a.sign : a.sign;
}
