import { expect, test } from 'vitest';
import { mayPass, retryDelay } from './retry-tiles.ts';

test('each try waits twice as long as the one before, and no longer than half a minute', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 1000].map((tries) => retryDelay(tries, 0))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ]);
  expect(retryDelay(0, 1)).toBe(750);
});

test.each([
  [undefined, true],
  [0, true],
  [429, true],
  [500, true],
  [503, true],
  [400, false],
  [401, false],
  [403, false],
  [404, false],
  [413, false],
])('status %s may pass: %s', (status, passes) => {
  expect(mayPass(status)).toBe(passes);
});
