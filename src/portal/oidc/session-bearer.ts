// The session of a browser as a token of the REST service, for an address that somebody who is signed in opens: it answers as that person.
// The token may only read and lives for moments. What writes proves itself with a token of its own, so that no other site's form can.

import { err, ok, type Result } from '../../kernel/result.ts';
import { sessionAccount } from '../accounts/account-store.ts';
import { readCookie } from '../accounts/cookies.ts';
import { SESSION_COOKIE, sessionHash } from '../accounts/session-token.ts';
import type { PortalOptions } from '../portal-app.ts';
import { signAccountToken } from './access-token.ts';

/** A long answer is not cut off by it: streams that go on ask for a token of their own. */
const SECONDS = 60;

/** A `Cookie` header → a token; undefined: nobody is signed in. An error: that could not be found out. */
export type SessionBearer = (cookies: string) => Promise<Result<string | undefined, undefined>>;

export function makeSessionBearer({ db, keys }: Pick<PortalOptions, 'db' | 'keys'>): SessionBearer {
  return async (cookies) => {
    const token = readCookie(cookies, SESSION_COOKIE);
    const hash = token === undefined ? undefined : sessionHash(token);
    if (hash === undefined) return ok(undefined);
    const account = await sessionAccount(db, hash);
    if (!account.ok) return err(undefined);
    if (account.value === undefined) return ok(undefined);
    const signed = await signAccountToken(keys, account.value, {
      issuer: 'urn:survest:session',
      sessionHash: hash,
      nowMs: Date.now(),
      seconds: SECONDS,
      scopes: ['read'],
    });
    return ok(signed);
  };
}
