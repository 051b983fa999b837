// Signing in and out for the pages, who is signed in, and what the pages begin with.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountCaller, Caller } from '../../auth/caller.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { PortalContext } from '../portal-context.ts';
import type { PageParts } from './account-parts.ts';
import { type Identity, identityOf, isFromProvider } from './account-store.ts';
import { isFormRequest, isJsonRequest, textFields } from './body-fields.ts';
import { checkLoginForm, nextPage, withUsername } from './login-form.ts';
import { noteCaller } from './note-caller.ts';
import { makeProof } from './proof.ts';
import { registerPasskeyRoutes } from './second-factor/passkey-routes.ts';
import { firstRecoveryCodes } from './second-factor/recovery-codes.ts';
import { registerSecondFactorRoutes } from './second-factor/second-factor-routes.ts';
import { seesEmail } from './sees-email.ts';

/** Cookies of the OpenID provider's own session, which ends with ours. */
export const PROVIDER_COOKIES = ['_session', '_session.sig'] as const;

export function registerSessionRoutes(app: FastifyInstance, context: PortalContext, parts: PageParts): void {
  const { db, identify, answerError, baseUrl, addressOf } = context;
  const {
    checkPassword,
    secondFactor,
    sessions,
    defaultSharing,
    binDays,
    mail,
    provider,
    passkeys,
    embedHosts,
    remoteHosts,
    sqlConsole,
  } = parts;

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
    const { hasSecondFactor, ...proved } = account.value;
    const next = isForm ? nextPage(request.body, baseUrl(request)) : '/';
    if (hasSecondFactor) {
      await secondFactor.ask(reply, proved, false);
      return isForm
        ? reply.redirect(`/account/login?${new URLSearchParams({ step: 'second', next })}`, 302)
        : reply.code(202).header('Cache-Control', 'no-store').send({ user: null, second_factor: true });
    }
    const caller: AccountCaller = { kind: 'account', ...proved, via: 'session' };
    const begun = await begin(request, reply, caller, false);
    if (!begun.ok) return answerError(request, reply, begun.error);
    if (isForm) return reply.redirect(next, 302);
    const user = await describe(caller);
    return user.ok ? tell(reply, user.value) : answerError(request, reply, user.error);
  });

  const finish = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { account, fromProvider }: { readonly account: AccountCaller; readonly fromProvider: boolean },
  ): Promise<Result<FastifyReply, PortalError>> => {
    const begun = await begin(request, reply, account, fromProvider);
    if (!begun.ok) return begun;
    const user = await describe(account);
    return user.ok ? ok(tell(reply, user.value)) : user;
  };
  const prove = makeProof(context, parts);
  registerSecondFactorRoutes(app, context, secondFactor, prove, finish);
  registerPasskeyRoutes(app, context, {
    ...passkeys,
    prove,
    signIn: (request, reply, account) => finish(request, reply, { account, fromProvider: false }),
    firstCodes: (caller) => firstRecoveryCodes(db, caller.id),
  });

  /** For somebody who has proved everything that there is to prove. */
  async function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: AccountCaller,
    fromProvider: boolean,
  ): Promise<Result<void, PortalError>> {
    noteCaller(request.raw, caller);
    const mode = context.mode();
    if (mode.kind === 'maintenance' && caller.role !== 'survest_admin')
      return err({ kind: 'service-closed', mode: mode.kind, message: mode.message });
    return sessions.begin(request, reply, caller, { fromProvider });
  }

  app.post('/account/logout', async (request, reply) => {
    const caller = await identify(request);
    if (!caller.ok) return answerError(request, reply, caller.error);
    const elsewhere = await signOutElsewhere(request);
    const ended = await sessions.end(request, reply);
    if (!ended.ok) return answerError(request, reply, ended.error);
    sessions.dropCookies(reply, PROVIDER_COOKIES);
    return elsewhere === undefined ? reply.code(204).send() : reply.send({ logout_url: elsewhere });
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
    provider: provider === undefined ? null : { name: provider.settings.name },
    embed_hosts: embedHosts,
    remote_hosts: remoteHosts,
    sql_console: sqlConsole,
  }));

  /** Where the person signs out of the provider that sent them, which is not asked for longer than it is there. */
  async function signOutElsewhere(request: FastifyRequest): Promise<string | undefined> {
    if (provider === undefined) return undefined;
    const session = await sessions.find(request);
    if (!session.ok || session.value === undefined) return undefined;
    const isTheirs = await isFromProvider(db, session.value.hash);
    if (!isTheirs.ok || !isTheirs.value) return undefined;
    return provider.client.signOutUrl(`${provider.publicUrl}/`).catch(() => undefined);
  }

  async function describe(caller: Caller): Promise<Result<unknown, PortalError>> {
    if (caller.kind === 'visitor') return ok(null);
    const identity = await identityOf(db, caller.id);
    if (!identity.ok) return err({ kind: 'database', error: identity.error });
    return ok(identity.value === undefined ? null : userOf(identity.value, seesEmail(caller.scope)));
  }
}

function tell(reply: FastifyReply, user: unknown): FastifyReply {
  return reply.header('Cache-Control', 'no-store').send({ user });
}

function userOf(identity: Identity, withEmail: boolean): unknown {
  return {
    pk: identity.id,
    username: identity.username,
    first_name: identity.firstName,
    last_name: identity.lastName,
    email: withEmail ? identity.email : '',
    is_superuser: identity.role === 'survest_admin',
    needs_second_factor: identity.needsSecondFactor,
    groups: identity.groups,
  };
}
