// A request → who asks: by the Authorization header where there is one, else by the session's cookie, else a visitor.
// Wrong credentials are an error everywhere, even where none are needed: the client would take the answer for its own.

import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { Account } from './account-store.ts';
import { parseAuthorization } from './authorization-header.ts';
import type { CheckPassword, PasswordProved } from './check-password.ts';
import { checkCsrf } from './csrf.ts';
import { isNotByToken, NOT_BY_TOKEN } from './not-by-token.ts';
import { isReadByPost } from './read-by-post.ts';
import type { Sessions } from './sessions.ts';

export type Identify = (request: FastifyRequest) => Promise<Result<Caller, PortalError>>;

/** The account of a bearer token, and the token's scope. */
export type TokenAccount = Account & { readonly scope: string };

/** The account of a bearer token that may be used with this verb. */
export type CheckToken = (token: string, method: string) => Promise<Result<TokenAccount, PortalError>>;

export type IdentifyParts = {
  readonly addressOf: (request: FastifyRequest) => string;
  readonly sessions: Sessions;
  readonly checkPassword: CheckPassword;
  readonly checkToken: CheckToken;
};

export function makeIdentify({ addressOf, sessions, checkPassword, checkToken }: IdentifyParts): Identify {
  return async (request) => {
    const offered = parseAuthorization(request.headers.authorization);
    switch (offered.kind) {
      case 'basic':
        return byPassword(await checkPassword({ ...offered, address: addressOf(request), isSentAgain: true }));
      case 'bearer':
        return byToken(await checkToken(offered.token, isReadByPost(request) ? 'GET' : request.method), request);
      case 'unreadable':
        return err({ kind: 'bad-credentials', reason: offered.scheme === 'basic' ? 'password' : 'token' });
      case 'nothing':
        return bySession(sessions, request, addressOf);
    }
  };
}

/** The one place where a token becomes a caller, and so the one that looks at what no token may do. */
function byToken(checked: Result<TokenAccount, PortalError>, request: FastifyRequest): Result<Caller, PortalError> {
  if (!checked.ok) return checked;
  return isNotByToken(request, checked.value.id) ? err(NOT_BY_TOKEN) : callerOf(checked, 'bearer');
}

/** A password that is sent with every request is no second factor, and nobody is there to be asked for one. */
function byPassword(proved: Result<PasswordProved, PortalError>): Result<Caller, PortalError> {
  if (!proved.ok) return proved;
  const { hasSecondFactor, ...account } = proved.value;
  return hasSecondFactor ? err({ kind: 'bad-credentials', reason: 'second-factor' }) : callerOf(ok(account), 'basic');
}

/** A cookie of a session that has ended is no wrong credential: browsers keep sending it. */
async function bySession(
  sessions: Sessions,
  request: FastifyRequest,
  addressOf: IdentifyParts['addressOf'],
): Promise<Result<Caller, PortalError>> {
  const found = await sessions.find(request);
  if (!found.ok) return found;
  if (found.value === undefined) return ok({ kind: 'visitor', address: addressOf(request) });
  const proved = checkCsrf(request.method, request.headers, found.value.token);
  return proved.ok ? callerOf(ok(found.value.account), 'session') : proved;
}

function callerOf(
  account: Result<Account, PortalError>,
  via: 'session' | 'basic' | 'bearer',
): Result<Caller, PortalError> {
  return account.ok ? ok({ kind: 'account', ...account.value, via }) : account;
}
