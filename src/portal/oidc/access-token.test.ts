import { describe, expect, test } from 'vitest';
import { accountClaims, readTokenClaims } from './access-token.ts';

const claims = { aud: 'urn:survest:api', sub: '7', scope: 'read write', client_id: 'app', gid: 'grant' };

describe('claims of a token of ours', () => {
  test('are read', () => {
    expect(readTokenClaims(claims)).toEqual({
      account: 7,
      mayRead: true,
      mayWrite: true,
      scope: 'read write',
      clientId: 'app',
      grantId: 'grant',
      sessionHash: undefined,
    });
  });

  test.each([
    ['read', true, false],
    ['write', true, true],
    ['openid', false, false],
    ['readwrite', false, false],
    [undefined, false, false],
    [['write'], false, false],
  ])('the scope %j reads: %s, writes: %s', (scope, mayRead, mayWrite) => {
    expect(readTokenClaims({ ...claims, scope })).toMatchObject({ mayRead, mayWrite });
  });

  test.each([
    ['another audience', { aud: 'app' }],
    ['several audiences', { aud: ['urn:survest:api', 'app'] }],
    ['no audience', { aud: undefined }],
    ['no subject', { sub: undefined }],
    ['a number', { sub: 7 }],
    ['zero', { sub: '0' }],
    ['the pseudo account', { sub: '-1' }],
    ['a number too large', { sub: '99999999999' }],
    ['SQL', { sub: '1 or 1=1' }],
  ])('%s is not ours', (_what, wrong) => {
    expect(readTokenClaims({ ...claims, ...wrong })).toBeUndefined();
  });
});

test('a token that may not write names no role: the REST service knows no scopes', () => {
  const account = { id: 7, username: 'ada', role: 'survest_user' } as const;
  expect(accountClaims(account, true)).toEqual({ preferred_username: 'ada', role: 'survest_user' });
  expect(accountClaims(account, false)).toEqual({ preferred_username: 'ada' });
});
