// POST /account/token: a bearer token for the scripts of somebody who is signed in, good for ten minutes on the portal and
// on the REST service. With an unlisted link (`?unlisted=`) it reads what that shows as well, on the REST service; whoever has a link alone gets one for that.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountCaller, Caller } from '../../auth/caller.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import { openSession } from '../accounts/account-store.ts';
import { newSessionToken } from '../accounts/session-token.ts';
import type { Sessions } from '../accounts/sessions.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { PortalContext } from '../portal-context.ts';
import { API_SCOPES, SESSION_TOKEN_SECONDS, signAccountToken, signLinkToken } from './access-token.ts';
import { MOUNT } from './provider.ts';
import type { SigningKeys } from './signing-keys.ts';

export type TokenParts = { readonly sessions: Sessions; readonly keys: SigningKeys };

export function registerTokenRoute(app: FastifyInstance, context: PortalContext, parts: TokenParts): void {
  const { db, clock, identify, answerError, baseUrl } = context;

  app.post('/account/token', async (request, reply) => {
    const who = await identify(request);
    if (!who.ok) return answerError(request, reply, who.error);
    const caller = who.value;
    const said = { issuer: `${baseUrl(request)}${MOUNT}`, nowMs: clock.now(), seconds: SESSION_TOKEN_SECONDS };
    if (caller.kind === 'visitor') {
      const { link } = caller;
      const good = link === undefined ? ok(false) : await opensSomething(caller);
      if (!good.ok) return answerError(request, reply, { kind: 'database', error: good.error }, caller);
      if (link === undefined || !good.value) return answerError(request, reply, { kind: 'not-authenticated' });
      return sendToken(reply, await signLinkToken(parts.keys, { ...said, link }), ['read']);
    }
    const hash = await anchor(request, caller);
    if (!hash.ok) return answerError(request, reply, hash.error, caller);
    const token = await signAccountToken(parts.keys, caller, {
      ...said,
      sessionHash: hash.value,
      scopes: API_SCOPES,
      link: caller.link,
    });
    return sendToken(reply, token, API_SCOPES);
  });

  /** Whether the link that a visitor has is good: a principal besides everybody. */
  async function opensSomething(caller: Caller): Promise<Result<boolean, DbError>> {
    const executed = await db.read(caller, { method: 'GET', path: '/account/token' }, [
      { text: 'select cardinality(portal.my_principals()) > 1', params: [] },
    ]);
    return executed.ok ? ok(executed.value[0]?.rows[0]?.[0]?.toString() === 't') : executed;
  }

  /** The session the token ends with: the browser's, or for name and password one of its own that nobody can use otherwise. */
  async function anchor(request: FastifyRequest, caller: AccountCaller): Promise<Result<Buffer, PortalError>> {
    if (caller.via === 'session') {
      const session = await parts.sessions.find(request);
      if (!session.ok) return session;
      return session.value === undefined ? err({ kind: 'not-authenticated' }) : ok(session.value.hash);
    }
    const { hash } = newSessionToken();
    const expires = clock.now() + SESSION_TOKEN_SECONDS * 1000;
    const opened = await openSession(db, hash, caller.id, expires, { kind: 'script' });
    return opened.ok ? ok(hash) : err({ kind: 'database', error: opened.error });
  }
}

function sendToken(reply: FastifyReply, token: string, scopes: readonly string[]): FastifyReply {
  return reply.header('Cache-Control', 'no-store').send({
    access_token: token,
    token_type: 'Bearer',
    expires_in: SESSION_TOKEN_SECONDS,
    scope: scopes.join(' '),
  });
}
