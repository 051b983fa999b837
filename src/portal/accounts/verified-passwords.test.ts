import { describe, expect, test } from 'vitest';
import { standingClock } from '../../kernel/clock.ts';
import { makeVerifiedPasswords } from './verified-passwords.ts';

describe('passwords that were right a moment ago', () => {
  test('are known for five minutes', () => {
    const clock = standingClock(0);
    const verified = makeVerifiedPasswords(clock);
    const name = verified.fingerprint('ada', 'secret', 'hash');
    expect(verified.has(name)).toBe(false);
    verified.add(name);
    clock.advance(299_999);
    expect(verified.has(name)).toBe(true);
    clock.advance(1);
    expect(verified.has(name)).toBe(false);
  });

  test('another name, password or stored hash is something else', () => {
    const verified = makeVerifiedPasswords(standingClock(0));
    const names = [
      ['ada', 'secret', 'hash'],
      ['ada', 'secret', 'hash2'],
      ['ada', 'secret2', 'hash'],
      ['ada2', 'secret', 'hash'],
      ['ada"', 'secret', 'hash'],
      ['ad', 'asecret', 'hash'],
      ['ada', 'secrethash', ''],
    ].map(([name = '', password = '', hash = '']) => verified.fingerprint(name, password, hash));
    expect(new Set(names).size).toBe(names.length);
  });

  test('a fingerprint tells nothing to who does not have the key', () => {
    const [one, two] = [makeVerifiedPasswords(standingClock(0)), makeVerifiedPasswords(standingClock(0))];
    expect(one.fingerprint('ada', 'secret', 'hash')).not.toBe(two.fingerprint('ada', 'secret', 'hash'));
    expect(one.fingerprint('ada', 'secret', 'hash')).not.toContain('secret');
  });

  test('the oldest make room for the newest', () => {
    const verified = makeVerifiedPasswords(standingClock(0), 2);
    for (const name of ['a', 'b', 'c']) verified.add(name);
    expect(['a', 'b', 'c'].map((name) => verified.has(name))).toEqual([false, true, true]);
  });
});
