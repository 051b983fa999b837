import { describe, expect, test } from 'vitest';
import { requestToken } from './request-token.ts';

describe('the Authorization header', () => {
  test.each<[string | undefined, string | undefined]>([
    [undefined, undefined],
    ['', undefined],
    ['Bearer a.b.c', 'a.b.c'],
    ['bearer a.b.c', 'a.b.c'],
    ['BEARER a.b.c', 'a.b.c'],
    ['bEaReR a.b.c', 'a.b.c'],
    ['Bearer   a.b.c  ', 'a.b.c'],
    ['Bearer\ta.b.c', 'a.b.c'],
    ['Bearer', ''],
    ['Bearer ', ''],
    ['bearer  ', ''],
    ['Bearer a b', 'a b'],
    ['Bearera.b.c', undefined],
    ['Bearer:a.b.c', undefined],
    ['Basic dXNlcjpwYXNz', undefined],
    ['a.b.c', undefined],
    [' Bearer a.b.c', undefined],
    ['Token Bearer a.b.c', undefined],
  ])('%j holds the token %j', (authorization, token) => {
    expect(requestToken({ authorization }, undefined)).toBe(token);
  });
});

describe('the cookie', () => {
  test.each<[string, string | undefined]>([
    ['token=a.b.c', 'a.b.c'],
    ['x=1; token=a.b.c; y=2', 'a.b.c'],
    ['x=1;token=a.b.c', 'a.b.c'],
    ['token="a.b.c"', 'a.b.c'],
    ['token=a.b.c=', 'a.b.c='],
    ['token=first; token=second', 'first'],
    ['token=', undefined],
    ['token=""', undefined],
    ['token', undefined],
    ['xtoken=a', undefined],
    ['Token=a', undefined],
    ['x=token=a', undefined],
    ['token="', '"'],
    ['token=""', undefined],
    ['', undefined],
    [';;;=;', undefined],
  ])('%j holds the token %j', (cookie, token) => {
    expect(requestToken({ cookie }, 'token')).toBe(token);
  });

  test('counts only where the settings name one', () => {
    expect(requestToken({ cookie: 'token=a.b.c' }, undefined)).toBeUndefined();
  });

  test('gives way to a Bearer, even an empty one, but not to another scheme', () => {
    expect(requestToken({ authorization: 'Bearer h.h.h', cookie: 'token=a.b.c' }, 'token')).toBe('h.h.h');
    expect(requestToken({ authorization: 'Bearer', cookie: 'token=a.b.c' }, 'token')).toBe('');
    expect(requestToken({ authorization: 'Basic x', cookie: 'token=a.b.c' }, 'token')).toBe('a.b.c');
  });

  test('does not count when another site sent the browser here', () => {
    const from = (site: string): string | undefined =>
      requestToken({ cookie: 'token=a.b.c', 'sec-fetch-site': site }, 'token');
    expect(from('cross-site')).toBeUndefined();
    expect(['same-origin', 'same-site', 'none'].map(from)).toEqual(['a.b.c', 'a.b.c', 'a.b.c']);
    expect(requestToken({ authorization: 'Bearer a.b.c', 'sec-fetch-site': 'cross-site' }, 'token')).toBe('a.b.c');
  });
});
