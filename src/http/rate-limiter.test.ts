import { expect, test } from 'vitest';
import { makeRateLimiter } from './rate-limiter.ts';

const RATE = { requests: 3, perSeconds: 1 };

test('so many at once, and then as they come back', () => {
  const limiter = makeRateLimiter();
  const at = (ms: number): number => limiter.take('a', RATE, ms);
  expect([at(0), at(0), at(0), at(0)]).toEqual([0, 0, 0, 1]);
  expect([at(334), at(334)]).toEqual([0, 1]);
  expect([at(10_000), at(10_000), at(10_000), at(10_000)]).toEqual([0, 0, 0, 1]);
});

test('each has a bucket of its own', () => {
  const limiter = makeRateLimiter();
  for (let i = 0; i < 4; i++) limiter.take('a', RATE, 0);
  expect(limiter.take('b', RATE, 0)).toBe(0);
});

test('the wait is long where the rate is slow', () => {
  const limiter = makeRateLimiter();
  const rate = { requests: 1, perSeconds: 3600 };
  expect([limiter.take('a', rate, 0), limiter.take('a', rate, 0)]).toEqual([0, 3600]);
});

test('a clock set back does no harm', () => {
  const limiter = makeRateLimiter();
  for (let i = 0; i < 3; i++) limiter.take('a', RATE, 10_000);
  expect(limiter.take('a', RATE, 0)).toBe(1);
  expect(limiter.take('a', RATE, 1000)).toBe(0);
});

test('memory is bounded, and who comes often is not forgotten', () => {
  const limiter = makeRateLimiter(10);
  for (let i = 0; i < 3; i++) limiter.take('busy', RATE, 0);
  for (let i = 0; i < 1000; i++) {
    limiter.take(`other-${i}`, RATE, 0);
    expect(limiter.take('busy', RATE, 0)).toBe(1);
  }
});
