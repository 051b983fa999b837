import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { levenshtein } from './levenshtein.ts';

describe('levenshtein', () => {
  test.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['kitten', 'sitting', 3],
    ['fake', 'factories', 6],
    ['garlic', 'articles', 5],
    ['موارد', 'مورد', 1],
  ])('%j and %j are %i edits apart', (a, b, edits) => {
    expect(levenshtein(a, b, 100)).toBe(edits);
  });

  test('more edits than asked for are not counted', () => {
    expect(levenshtein('kitten', 'sitting', 2)).toBeUndefined();
    expect(levenshtein('kitten', 'sitting', 3)).toBe(3);
    expect(levenshtein('a', 'aaaaaaaa', 3)).toBeUndefined();
  });

  test('it is a distance: none to itself, the same both ways, no longer than by way of a third', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '_'), maxLength: 9 });
    const distance = (a: string, b: string) => levenshtein(a, b, 100) ?? Number.NaN;
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(distance(a, a)).toBe(0);
        expect(distance(a, b)).toBe(distance(b, a));
        expect(distance(a, c)).toBeLessThanOrEqual(distance(a, b) + distance(b, c));
      }),
    );
  });
});
