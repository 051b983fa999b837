import { expect, test } from 'vitest';
import { errorText } from './error-text.ts';

const itself: Record<string, unknown> = {};
itself['itself'] = itself;

test.each<[unknown, string]>([
  [{ kind: 'pool-timeout', afterMs: 10_000 }, '{"kind":"pool-timeout","afterMs":10000}'],
  ['text', 'text'],
  [null, 'null'],
  [undefined, 'undefined'],
  [itself, '[object Object]'],
])('%o is told as %s', (thrown, text) => {
  expect(errorText(thrown)).toBe(text);
});

test('an error is told with where it happened', () => {
  expect(errorText(new RangeError('too far'))).toMatch(/^RangeError: too far\n\s+at .*error-text\.test/);
});
