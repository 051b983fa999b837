// A bearer token of ours → the account it stands for. The signature is worked out once per token; that the account is
// active, and that what the token hangs on has not been taken back, is asked of the database with every request.

import type { CallerDb } from '../../auth/caller-db.ts';
import { makeVerifier, type Verifier } from '../../auth/verify-jwt.ts';
import type { Clock } from '../../kernel/clock.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { tokenAccount } from '../accounts/account-store.ts';
import { isSafeMethod } from '../accounts/csrf.ts';
import type { CheckToken, TokenAccount } from '../accounts/identify.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { readTokenClaims, type TokenClaims } from './access-token.ts';
import type { SigningKeys } from './signing-keys.ts';

export type BearerTokens = {
  /** The account, and whether the token may be used with this verb. */
  readonly check: CheckToken;
  /** The account whatever the token may be used for: it only says who somebody is. */
  accountOf(token: string): Promise<Result<TokenAccount, PortalError>>;
  /** Undefined: not one of ours, or no longer valid by itself. */
  read(token: string): Promise<TokenClaims | undefined>;
};

const BAD_TOKEN: PortalError = { kind: 'bad-credentials', reason: 'token' };
const REMEMBERED = 5000;

export function makeBearerTokens(db: CallerDb, keys: SigningKeys, clock: Clock): BearerTokens {
  const verifier: Verifier<TokenClaims | undefined> = makeVerifier(keys.verification, {
    audience: undefined, // readTokenClaims is stricter: a token must name ours
    cacheMaxLifetime: 3600,
    cacheMaxEntries: REMEMBERED,
    derive: readTokenClaims,
  });

  const read: BearerTokens['read'] = async (token) => {
    const verified = await verifier.verify(token, clock.now());
    return verified.ok ? verified.value : undefined;
  };

  const accountBehind = async (claims: TokenClaims): Promise<Result<TokenAccount, PortalError>> => {
    const found = await tokenAccount(db, claims.account, claims.grantId, claims.sessionHash);
    if (!found.ok) return err({ kind: 'database', error: found.error });
    return found.value === undefined ? err(BAD_TOKEN) : ok({ ...found.value, scope: claims.scope });
  };

  return {
    read,
    async check(token, method) {
      const claims = await read(token);
      if (claims === undefined) return err(BAD_TOKEN);
      const account = await accountBehind(claims);
      if (!account.ok) return account;
      const suffices = isSafeMethod(method) ? claims.mayRead : claims.mayWrite;
      return suffices ? account : err({ kind: 'bad-credentials', reason: claims.mayRead ? 'read-only' : 'scope' });
    },
    async accountOf(token) {
      const claims = await read(token);
      return claims === undefined ? err(BAD_TOKEN) : accountBehind(claims);
    },
  };
}
