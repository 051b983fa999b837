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
