// Access tokens: JWTs that the portal and the REST service both take. Which claims one has, how ours are recognised, and how
// one is made for somebody who is signed in.

import { createPrivateKey, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Claims } from '../../auth/check-claims.ts';
import type { Account } from '../accounts/account-store.ts';
import type { SigningKeys } from './signing-keys.ts';

/** What the tokens are for. An ID token, signed with the same key, is for its client and therefore not taken. */
export const AUDIENCE = 'urn:survest:api';

/** What applications may ask for on the API; `write` includes reading. */
export const API_SCOPES = ['read', 'write'] as const;

/** What a token of ours says, once its signature held. */
export type TokenClaims = {
  readonly account: number;
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
  /** The claim itself. */
  readonly scope: string;
  readonly clientId: string;
  /** The grant it was issued under … */
  readonly grantId: string | undefined;
  /** … or the session it was made in: without them it is void. */
  readonly sessionHash: Buffer | undefined;
};

/** Undefined: signed by us, but not an access token for the API. */
export function readTokenClaims(claims: Claims): TokenClaims | undefined {
  const { aud, sub, scope, client_id: clientId, gid, sid } = claims;
  if (aud !== AUDIENCE || typeof sub !== 'string' || !/^[1-9]\d{0,8}$/.test(sub)) return undefined;
  const scopes = typeof scope === 'string' ? scope.split(' ') : [];
  const mayWrite = scopes.includes('write');
  return {
    account: Number(sub),
    mayRead: mayWrite || scopes.includes('read'),
    mayWrite,
    scope: scopes.join(' '),
    clientId: typeof clientId === 'string' ? clientId : '',
    grantId: typeof gid === 'string' ? gid : undefined,
    sessionHash: typeof sid === 'string' ? Buffer.from(sid, 'base64url') : undefined,
  };
}

/**
 * What is added to the standard claims. The REST service acts in the role that a token names; it does not know scopes, so a
 * token that may only read names none, and is a visitor there.
 */
export function accountClaims({ username, role }: Account, mayWrite: boolean): Record<string, string> {
  return { preferred_username: username, ...(mayWrite ? { role } : {}) };
}

export const SESSION_TOKEN_SECONDS = 600;

export type NewToken = {
  readonly issuer: string;
  /** The sign-in that the token ends with … */
  readonly sessionHash: Buffer | undefined;
  /** … or the grant. */
  readonly grantId?: string | undefined;
  readonly nowMs: number;
  readonly seconds: number;
  readonly scopes: readonly (typeof API_SCOPES)[number][];
  /** Digest of the unlisted link that it was made with, which the database looks at each time. */
  readonly link?: string | undefined;
};

/**
 * A token for the scripts of an account. It names the account's role also where it may only read: that it writes nothing is seen to by
 * `portal.check_token`, without which the REST service takes none of them for longer than it should.
 */
export function signAccountToken(keys: SigningKeys, account: Account, token: NewToken): Promise<string> {
  const [key] = keys.keys;
  const now = Math.floor(token.nowMs / 1000);
  return new SignJWT({
    ...accountClaims(account, true),
    scope: token.scopes.join(' '),
    client_id: 'portal',
    sid: token.sessionHash?.toString('base64url'),
    gid: token.grantId,
    link: token.link,
  })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt' })
    .setIssuer(token.issuer)
    .setAudience(AUDIENCE)
    .setSubject(String(account.id))
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(now + token.seconds)
    .sign(createPrivateKey({ key, format: 'jwk' }));
}

/** For the pages of somebody who has a link and no account: the REST service takes it as a visitor's, for reading, as long as the link is good. */
export function signLinkToken(
  keys: SigningKeys,
  token: Pick<NewToken, 'issuer' | 'nowMs' | 'seconds'> & { readonly link: string },
): Promise<string> {
  const [key] = keys.keys;
  const now = Math.floor(token.nowMs / 1000);
  return new SignJWT({ role: 'survest_anon', scope: 'read', client_id: 'portal', link: token.link })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt' })
    .setIssuer(token.issuer)
    .setAudience(AUDIENCE)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(now + token.seconds)
    .sign(createPrivateKey({ key, format: 'jwk' }));
}
