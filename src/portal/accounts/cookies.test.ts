import { describe, expect, test } from 'vitest';
import { cookieLine, readCookie } from './cookies.ts';

describe('reading', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['a=1', '1'],
    ['b=2; a=1', '1'],
    ['b=2;a=1;c=3', '1'],
    ['a=1; a=2', '1'],
    ['aa=2; xa=3', undefined],
    ['a', undefined],
    ['a=', ''],
    ['a=x=y', 'x=y'],
    [' a = 1 ', '1'],
    ['A=1', undefined],
  ])('%j has the cookie a with %j', (header, value) => {
    expect(readCookie(header, 'a')).toBe(value);
  });
});

test('a cookie is for the whole portal and for no other site', () => {
  expect(cookieLine('a', 'b', { maxAge: 5, secure: false, httpOnly: true })).toBe(
    'a=b; Path=/; Max-Age=5; SameSite=Lax; HttpOnly',
  );
  expect(cookieLine('a', '', { maxAge: 0, secure: true, httpOnly: false })).toBe(
    'a=; Path=/; Max-Age=0; SameSite=Lax; Secure',
  );
});
