import { expect, test } from 'vitest';
import { standingClock, systemClock } from './clock.ts';

test('a standing clock moves only when it is advanced, and its ticks start at zero', () => {
  const clock = standingClock(1_700_000_000_000);
  expect([clock.now(), clock.ticks()]).toEqual([1_700_000_000_000, 0]);
  clock.advance(30_000);
  expect([clock.now(), clock.ticks()]).toEqual([1_700_000_030_000, 30_000]);
});

test('the ticks of the system clock never run backwards', () => {
  const readings = Array.from({ length: 1000 }, () => systemClock.ticks());
  expect(readings).toEqual([...readings].sort((a, b) => a - b));
});
