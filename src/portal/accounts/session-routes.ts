// Signing in and out for the pages, who is signed in, and what the pages begin with.

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { PortalContext } from '../portal-context.ts';
import type { PageParts } from './account-parts.ts';
import { type Identity, identityOf } from './account-store.ts';
import { isFormRequest, isJsonRequest, textFields } from './body-fields.ts';
import { checkLoginForm, nextPage, withUsername } from './login-form.ts';
import { noteCaller } from './note-caller.ts';

/** Cookies of the OpenID provider's own session, which ends with ours. */
export const PROVIDER_COOKIES = ['_session', '_session.sig'] as const;

export function registerSessionRoutes(app: FastifyInstance, context: PortalContext, parts: PageParts): void {
  const { db, identify, answerError, baseUrl, addressOf } = context;
  const { checkPassword, sessions, defaultSharing, binDays, mail } = parts;

  // The page's form repeats the token of this cookie; so do scripts that read the page first, as they do with GeoNode.
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'GET' || !/^\/account\/login\/?(?:\?|$)/.test(request.url)) return;
    const session = await sessions.find(request);
    sessions.offerCsrf(request, reply, session.ok ? session.value : undefined);
  });

  app.post('/account/login', async (request, reply) => {
    // A page of another site can send everything but JSON: a form has to prove that it is ours.
    const isForm = !isJsonRequest(request);
    if (isForm) {
      const { 'content-type': type = '' } = request.headers;
      if (!isFormRequest(request)) return answerError(request, reply, { kind: 'unsupported-media-type', type });
      const proved = checkLoginForm(request.headers, request.body, baseUrl(request));
      if (!proved.ok) return answerError(request, reply, proved.error);
    }
    const given = textFields(withUsername(request.body), ['username', 'password']);
    if (!given.ok) return answerError(request, reply, given.error);
    const account = await checkPassword({ ...given.value, address: addressOf(request) });
    if (!account.ok) return answerError(request, reply, account.error);
    noteCaller(request.raw, { kind: 'account', ...account.value, via: 'session' });
    const mode = context.mode();
    if (mode.kind === 'maintenance' && account.value.role !== 'survest_admin')
      return answerError(request, reply, { kind: 'service-closed', mode: mode.kind, message: mode.message });
    const begun = await sessions.begin(request, reply, account.value);
    if (!begun.ok) return answerError(request, reply, begun.error);
    if (isForm) return reply.redirect(nextPage(request.body, baseUrl(request)), 302);
    const user = await describe({ kind: 'account', ...account.value, via: 'session' });
    return user.ok ? tell(reply, user.value) : answerError(request, reply, user.error);
  });

  app.post('/account/logout', async (request, reply) => {
    const caller = await identify(request);
    if (!caller.ok) return answerError(request, reply, caller.error);
    const ended = await sessions.end(request, reply);
    if (!ended.ok) return answerError(request, reply, ended.error);
    sessions.dropCookies(reply, PROVIDER_COOKIES);
    return reply.code(204).send();
  });

  app.get('/account/session', async (request, reply) => {
    const caller = await identify(request);
    if (!caller.ok) return answerError(request, reply, caller.error);
    const session = await sessions.find(request);
    if (!session.ok) return answerError(request, reply, session.error);
    const user = await describe(caller.value);
    if (!user.ok) return answerError(request, reply, user.error);
    sessions.offerCsrf(request, reply, session.value);
    return tell(reply, user.value);
  });

  // What the pages begin with where the person has not chosen.
  app.get('/account/defaults', async () => ({
    sharing: defaultSharing,
    bin_days: binDays,
    mail: mail !== undefined,
    registration: mail?.registration ?? 'off',
  }));

  async function describe(caller: Caller): Promise<Result<unknown, PortalError>> {
    if (caller.kind === 'visitor') return ok(null);
    const identity = await identityOf(db, caller.id);
    if (!identity.ok) return err({ kind: 'database', error: identity.error });
    return ok(identity.value === undefined ? null : userOf(identity.value));
  }
}

function tell(reply: FastifyReply, user: unknown): FastifyReply {
  return reply.header('Cache-Control', 'no-store').send({ user });
}

function userOf(identity: Identity): unknown {
  return {
    pk: identity.id,
    username: identity.username,
    first_name: identity.firstName,
    last_name: identity.lastName,
    email: identity.email,
    is_superuser: identity.role === 'survest_admin',
    groups: identity.groups,
  };
}
