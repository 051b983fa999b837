import { describe, expect, test } from 'vitest';
import { standingClock } from '../../kernel/clock.ts';
import { makeSignInThrottle, type SignInThrottle } from './sign-in-throttle.ts';

const count = (
  throttle: SignInThrottle,
  tries: number,
  username: string | ((i: number) => string),
  address: string | ((i: number) => string),
): number => {
  let allowed = 0;
  for (let i = 0; i < tries; i += 1) {
    const name = typeof username === 'string' ? username : username(i);
    const from = typeof address === 'string' ? address : address(i);
    if (throttle.take(name, from).ok) allowed += 1;
  }
  return allowed;
};

describe('tries at a password', () => {
  test('an account has ten at one address, and then one every half minute', () => {
    const clock = standingClock(0);
    const throttle = makeSignInThrottle(clock);
    expect(count(throttle, 20, 'ada', '10.0.0.1')).toBe(10);
    expect(throttle.take('ada', '10.0.0.1')).toEqual({ ok: false, error: { retryAfterSeconds: 30 } });
    clock.advance(10_000);
    expect(throttle.take('ada', '10.0.0.1')).toEqual({ ok: false, error: { retryAfterSeconds: 20 } });
    clock.advance(20_000);
    expect(throttle.take('ada', '10.0.0.1').ok).toBe(true);
    expect(throttle.take('ada', '10.0.0.1').ok).toBe(false);
    clock.advance(3600_000);
    expect(count(throttle, 20, 'ADA', '10.0.0.1')).toBe(10);
  });

  test('being refused does not make it longer', () => {
    const clock = standingClock(0);
    const throttle = makeSignInThrottle(clock);
    count(throttle, 1000, 'ada', '10.0.0.1');
    clock.advance(30_000);
    expect(throttle.take('ada', '10.0.0.1').ok).toBe(true);
  });

  test('somebody else at another address is not kept waiting', () => {
    const throttle = makeSignInThrottle(standingClock(0));
    count(throttle, 20, 'ada', '10.0.0.1');
    expect(throttle.take('ada', '10.0.0.2').ok).toBe(true);
    expect(throttle.take('bob', '10.0.0.1').ok).toBe(true);
  });

  test('an address has fifty, whatever the names', () => {
    const throttle = makeSignInThrottle(standingClock(0));
    expect(count(throttle, 100, (i) => `name${i}`, '10.0.0.1')).toBe(50);
  });

  test('an account has two hundred, whatever the addresses', () => {
    const throttle = makeSignInThrottle(standingClock(0));
    expect(count(throttle, 500, 'ada', (i) => `10.0.${i}.1`)).toBe(200);
  });

  test('a right password gives its tries back', () => {
    const throttle = makeSignInThrottle(standingClock(0));
    for (let i = 0; i < 300; i += 1) {
      const taken = throttle.take('ada', '10.0.0.1');
      expect(taken.ok).toBe(true);
      if (taken.ok) taken.value.succeeded();
    }
  });

  test('the addresses of one IPv6 subscriber are one', () => {
    const throttle = makeSignInThrottle(standingClock(0));
    expect(count(throttle, 30, 'ada', (i) => `2001:db8:1:2:${i}::1`)).toBe(10);
    expect(throttle.take('ada', '2001:db8:1:3::1').ok).toBe(true);
    expect(count(throttle, 30, 'bob', (i) => `::ffff:10.0.0.${i}`)).toBe(30);
  });

  test('a flood of names and addresses does not fill the memory, and the newest are remembered', () => {
    const throttle = makeSignInThrottle(standingClock(0));
    count(
      throttle,
      30_000,
      (i) => `name${i}`,
      (i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
    );
    count(throttle, 10, 'ada', '192.0.2.1');
    expect(throttle.take('ada', '192.0.2.1').ok).toBe(false);
  });
});
