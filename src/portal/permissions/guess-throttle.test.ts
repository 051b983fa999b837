import { expect, test } from 'vitest';
import { makeGuessThrottle } from './guess-throttle.ts';

test('sixty refusals cost nothing, each further one costs the account a second, and nobody else anything', () => {
  let now = 5_000_000;
  const throttle = makeGuessThrottle({ now: () => now, ticks: () => now });
  for (let n = 0; n < 59; n += 1) throttle.refused('account 1');
  expect(throttle.wait('account 1')).toBe(0);
  throttle.refused('account 1');
  expect(throttle.wait('account 1')).toBe(1);
  for (let n = 0; n < 9; n += 1) throttle.refused('account 1');
  expect([throttle.wait('account 1'), throttle.wait('account 2')]).toEqual([10, 0]);
  now += 9000;
  expect(throttle.wait('account 1')).toBe(1);
  now += 1000;
  expect(throttle.wait('account 1')).toBe(0);
  now += 60_000;
  for (let n = 0; n < 59; n += 1) throttle.refused('account 1');
  expect(throttle.wait('account 1')).toBe(0);
});

test('nobody is kept from writing for more than ten minutes', () => {
  const throttle = makeGuessThrottle({ now: () => 0, ticks: () => 0 });
  for (let n = 0; n < 5000; n += 1) throttle.refused('account 1');
  expect(throttle.wait('account 1')).toBe(601);
});
