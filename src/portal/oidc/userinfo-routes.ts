// Who am I: /o/userinfo, and the older address of the same.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { identityOf } from '../accounts/account-store.ts';
import { parseAuthorization } from '../accounts/authorization-header.ts';
import { membersOf } from '../accounts/body-fields.ts';
import { seesEmail } from '../accounts/sees-email.ts';
import type { Sessions } from '../accounts/sessions.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { PortalContext } from '../portal-context.ts';
import type { BearerTokens } from './bearer-tokens.ts';
import { claimsOfIdentity } from './user-claims.ts';

/** `scope`: of a token. */
type Asking = { readonly id: number; readonly scope?: string };

export type UserinfoParts = { readonly sessions: Sessions; readonly bearer: BearerTokens };

export function registerUserinfo(app: FastifyInstance, context: PortalContext, parts: UserinfoParts): void {
  const { db, identify, answerError } = context;

  for (const url of ['/o/userinfo', '/api/o/v4/userinfo']) {
    app.route({
      method: ['GET', 'POST'],
      url,
      async handler(request, reply) {
        const account = await whoAsks(request);
        if (!account.ok) return answerError(request, reply, account.error);
        const identity = await identityOf(db, account.value.id);
        if (!identity.ok) return answerError(request, reply, { kind: 'database', error: identity.error });
        if (identity.value === undefined) return answerError(request, reply, { kind: 'not-authenticated' });
        const { email, email_verified, ...claims } = claimsOfIdentity(identity.value);
        const told = seesEmail(account.value.scope) ? { ...claims, email, email_verified } : claims;
        return reply.header('Cache-Control', 'no-store').send(told);
      },
    });
  }

  /** Nothing is changed by asking, so a POST is as good as a GET here, whatever a token's scope. */
  async function whoAsks(request: FastifyRequest): Promise<Result<Asking, PortalError>> {
    const token = bearerToken(request);
    if (token !== undefined) return parts.bearer.accountOf(token);
    if (request.headers.authorization !== undefined) {
      const caller = await identify(request);
      if (!caller.ok) return caller;
      if (caller.value.kind === 'account') return ok(caller.value);
    }
    const session = await parts.sessions.find(request);
    if (!session.ok) return session;
    return session.value === undefined ? err({ kind: 'not-authenticated' }) : ok(session.value.account);
  }
}

/** In the header, or as RFC 6750, 2.2 has it in a form; never in the address. */
function bearerToken(request: FastifyRequest): string | undefined {
  const offered = parseAuthorization(request.headers.authorization);
  if (offered.kind === 'bearer') return offered.token;
  const { access_token: token } = membersOf(request.body);
  return request.headers.authorization === undefined && typeof token === 'string' ? token : undefined;
}
