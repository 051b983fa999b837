import { expect, test } from 'vitest';
import { checkLoginForm, nextPage, withUsername } from './login-form.ts';

const BASE = 'https://portal.example.org';
const cookie = 'a=b; csrftoken=secret';

test.each([
  ['the token in the form', { cookie }, { csrfmiddlewaretoken: 'secret' }, undefined],
  ['the token in the header', { cookie, 'x-csrftoken': 'secret' }, {}, undefined],
  ['our own page', { cookie, origin: BASE }, { csrfmiddlewaretoken: 'secret' }, undefined],
  ['no cookie', {}, { csrfmiddlewaretoken: 'secret' }, 'missing-cookie'],
  ['an empty cookie', { cookie: 'csrftoken=' }, { csrfmiddlewaretoken: '' }, 'missing-cookie'],
  ['no token', { cookie }, {}, 'mismatch'],
  ['another token', { cookie }, { csrfmiddlewaretoken: 'other' }, 'mismatch'],
  ['another site', { cookie, origin: 'https://evil.example.org' }, { csrfmiddlewaretoken: 'secret' }, 'mismatch'],
  ['a page without an origin', { cookie, origin: 'null' }, { csrfmiddlewaretoken: 'secret' }, 'mismatch'],
])('a form with %s', (_what, headers, body, reason) => {
  const checked = checkLoginForm(headers, body, BASE);
  expect(checked.ok ? undefined : checked.error).toEqual(reason === undefined ? undefined : { kind: 'csrf', reason });
});

test('the name may be called login', () => {
  expect(withUsername({ login: 'ada', password: 'x' })).toMatchObject({ username: 'ada', password: 'x' });
  expect(withUsername({ login: 'ada', username: 'bob' })).toMatchObject({ username: 'bob' });
  expect(withUsername([])).toEqual({ username: undefined });
});

test.each([
  ['/maps/5?x=1#y', '/maps/5?x=1#y'],
  ['/', '/'],
  ['//evil.example.org', '/'],
  ['/\\evil.example.org', '/'],
  ['/\t/evil.example.org', '/'],
  ['/.//evil.example.org', '/'],
  ['https://evil.example.org', '/'],
  ['javascript:alert(1)', '/'],
  ['', '/'],
  [5, '/'],
  [undefined, '/'],
])('next = %j leads to %s', (next, page) => {
  expect(nextPage({ next }, BASE)).toBe(page);
});
