import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryPairs } from './query-pairs.ts';

test('is what URLSearchParams reads', () => {
  const parts = fc.constantFrom(
    'a',
    'b',
    '=',
    '&',
    '?',
    '+',
    '%',
    '%20',
    '%C3%A4',
    '%ff',
    '%zz',
    'ä',
    ';',
    ' ',
    '#',
    '\u0000',
    '\ud800',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      expect([...queryPairs(text)]).toEqual([...new URLSearchParams(text)]);
    }),
    { numRuns: 2000 },
  );
});

test('however many there are, also where some at a time are read', () => {
  for (const [count, piece] of [
    [256, '?a=1'],
    [257, 'ä=%41+'],
    [1000, '?'],
    [600, ''],
  ] as const) {
    const text = Array.from({ length: count }, () => piece).join('&');
    expect([...queryPairs(text)]).toEqual([...new URLSearchParams(text)]);
  }
});
