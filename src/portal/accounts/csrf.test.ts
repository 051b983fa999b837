import { describe, expect, test } from 'vitest';
import { checkCsrf } from './csrf.ts';
import { csrfToken, newSessionToken } from './session-token.ts';

const { token } = newSessionToken();
const proof = csrfToken(token);
const other = csrfToken(newSessionToken().token);

describe('a request in the name of a session', () => {
  test.each(['GET', 'HEAD', 'OPTIONS'])('%s needs no proof', (method) => {
    expect(checkCsrf(method, {}, token).ok).toBe(true);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'post', 'PROPFIND'])('%s needs cookie and header', (method) => {
    expect(checkCsrf(method, { cookie: `csrftoken=${proof}`, 'x-csrftoken': proof }, token).ok).toBe(true);
    expect(checkCsrf(method, {}, token)).toEqual({ ok: false, error: { kind: 'csrf', reason: 'missing-cookie' } });
  });

  test.each([
    ['no header', `csrftoken=${proof}`, undefined],
    ['an empty header', `csrftoken=${proof}`, ''],
    ['two headers', `csrftoken=${proof}`, [proof, proof]],
    ['the header of another session', `csrftoken=${proof}`, other],
    ['cookie and header of another session', `csrftoken=${other}`, other],
    ['an empty cookie', 'csrftoken=', proof],
    ['both empty', 'csrftoken=', ''],
    ['a longer header', `csrftoken=${proof}`, `${proof}x`],
  ])('%s is refused', (_what, cookie, header) => {
    expect(checkCsrf('POST', { cookie, 'x-csrftoken': header }, token)).toEqual({
      ok: false,
      error: { kind: 'csrf', reason: 'mismatch' },
    });
  });
});
