// Where the provider sends a person who has to answer something: sign in, allow an application. Plain forms; the answer goes
// back to the provider, which goes on from there.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { policyOrigin } from '../../kernel/policy-origin.ts';
import { membersOf } from '../accounts/body-fields.ts';
import type { CheckPassword } from '../accounts/check-password.ts';
import { readCookie } from '../accounts/cookies.ts';
import type { SecondFactor } from '../accounts/second-factor/second-factor.ts';
import { PROVIDER_COOKIES } from '../accounts/session-routes.ts';
import { CSRF_COOKIE, csrfToken, sameText } from '../accounts/session-token.ts';
import type { Session, Sessions } from '../accounts/sessions.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { portalReply } from '../errors/portal-reply.ts';
import { type MailLanguage, mailLanguage } from '../mail/letters.ts';
import type { PortalContext } from '../portal-context.ts';
import { PAGE_WORDS } from './page-words.ts';
import { codePage, consentPage, errorPage, loginPage, pageHeaders } from './pages.ts';
import { MOUNT } from './provider.ts';
import type { Providers } from './providers.ts';
import { refusalText } from './refusal-text.ts';

export type InteractionParts = {
  readonly providers: Providers;
  readonly sessions: Sessions;
  readonly checkPassword: CheckPassword;
  readonly secondFactor: SecondFactor;
};

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** What every step has before it does anything. */
type Step = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly provider: Provider;
  readonly interaction: Interaction;
  readonly session: Session | undefined;
};

/** Somebody is signed in, but the application wants to see them sign in (again). */
const FRESH_LOGIN: ReadonlySet<string> = new Set([
  'login_prompt',
  'max_age',
  'id_token_hint',
  'claims_id_token_sub_value',
]);

export function registerInteractions(app: FastifyInstance, context: PortalContext, parts: InteractionParts): void {
  const { providers, sessions, checkPassword, secondFactor } = parts;
  const path = `${MOUNT}/interaction/:uid`;

  app.get(path, (request, reply) =>
    withStep(request, reply, async (step) => {
      const { prompt } = step.interaction;
      if (prompt.name === 'consent' && step.session !== undefined) return askConsent(step, step.session);
      const isFresh = prompt.reasons.some((reason) => FRESH_LOGIN.has(reason));
      if (prompt.name === 'login' && step.session !== undefined && !isFresh) {
        return finishLogin(step, String(step.session.account.id));
      }
      return askLogin(step, 200, '', undefined);
    }),
  );

  app.post(`${path}/login`, (request, reply) =>
    withStep(request, reply, async (step) => {
      const { username, password } = membersOf(request.body);
      if (typeof username !== 'string' || typeof password !== 'string') {
        return askLogin(step, 400, '', PAGE_WORDS[languageOf(request)].needed);
      }
      const account = await checkPassword({ username, password, address: context.addressOf(request) });
      if (!account.ok) return refuseLogin(step, username, account.error);
      const { hasSecondFactor, ...proved } = account.value;
      if (hasSecondFactor) {
        await secondFactor.ask(reply, proved, false);
        return askCode(step, 200, undefined);
      }
      const begun = await sessions.begin(request, reply, proved);
      if (!begun.ok) return showFailure(reply, begun.error);
      return finishLogin(step, String(proved.id));
    }),
  );

  app.post(`${path}/second`, (request, reply) =>
    withStep(request, reply, async (step) => {
      const { code } = membersOf(request.body);
      const finished = await secondFactor.finish(request, reply, typeof code === 'string' ? code : '');
      if (!finished.ok) return refuseCode(step, finished.error);
      const begun = await sessions.begin(request, reply, finished.value.account);
      if (!begun.ok) return showFailure(reply, begun.error);
      return finishLogin(step, String(finished.value.account.id));
    }),
  );

  app.post(`${path}/confirm`, (request, reply) =>
    withStep(request, reply, async (step) => {
      const { interaction, session } = step;
      if (interaction.prompt.name !== 'consent' || session === undefined || !isTheirs(step)) return restart(step);
      return finish(step, { consent: { grantId: await saveGrant(step.provider, interaction, session) } });
    }),
  );

  app.post(`${path}/abort`, (request, reply) =>
    withStep(request, reply, (step) =>
      finish(step, { error: 'access_denied', error_description: 'End-User aborted interaction' }),
    ),
  );

  /** Finds out what is asked and who is there; a form must be one of ours. */
  async function withStep(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (step: Step) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const provider = providers(context.baseUrl(request));
    const interaction = await provider.interactionDetails(request.raw, reply.raw).catch(() => undefined);
    if (interaction === undefined || interaction.uid !== (request.params as { uid: string }).uid) {
      return showPage(
        reply,
        400,
        errorPage(languageOf(request), 'session_not_found', PAGE_WORDS[languageOf(request)].expired),
      );
    }
    const found = await sessions.find(request);
    if (!found.ok) return showFailure(reply, found.error);
    const session = found.value;
    if (request.method === 'POST' && !isOurForm(request, session)) {
      return showFailure(reply, { kind: 'csrf', reason: 'mismatch' });
    }
    return work({ request, reply, provider, interaction, session });
  }

  function askLogin(
    step: Step,
    status: number,
    username: string,
    complaint: string | undefined,
  ): Promise<FastifyReply> {
    return ask(step, status, (clientName, csrf, action) =>
      loginPage({ language: languageOf(step.request), action, csrf, clientName, username, complaint }),
    );
  }

  async function askConsent(step: Step, session: Session): Promise<FastifyReply> {
    if (!isTheirs(step)) return restart(step);
    const { details } = step.interaction.prompt;
    const missing = missingScopes(details);
    const scopes = [...new Set([...missing.oidc, ...missing.api])];
    const destination = originOf(step.interaction) ?? String(step.interaction.params['redirect_uri']);
    return ask(step, 200, (clientName, csrf, action) =>
      consentPage({
        language: languageOf(step.request),
        action,
        csrf,
        clientName,
        destination,
        username: session.account.username,
        scopes,
      }),
    );
  }

  async function ask(
    step: Step,
    status: number,
    page: (clientName: string, csrf: string, action: string) => string,
  ): Promise<FastifyReply> {
    const { provider, interaction, request, reply, session } = step;
    const clientId = String(interaction.params['client_id']);
    const client = await provider.Client.find(clientId);
    const csrf = sessions.offerCsrf(request, reply, session);
    const target = originOf(interaction);
    return showPage(
      reply,
      status,
      page(client?.clientName ?? clientId, csrf, `${MOUNT}/interaction/${interaction.uid}`),
      target === undefined ? [] : [target],
    );
  }

  function askCode(step: Step, status: number, complaint: string | undefined): Promise<FastifyReply> {
    return ask(step, status, (clientName, csrf, action) =>
      codePage({ language: languageOf(step.request), action, csrf, clientName, complaint }),
    );
  }

  function refuseCode(step: Step, error: PortalError): Promise<FastifyReply> {
    const { status, headers } = portalReply(error, { isVisitor: true, isScript: true });
    step.reply.headers(headers);
    return askCode(step, status, refusalText(languageOf(step.request), error));
  }

  function refuseLogin(step: Step, username: string, error: PortalError): Promise<FastifyReply> {
    const { status, headers } = portalReply(error, { isVisitor: true, isScript: true });
    step.reply.headers(headers);
    return askLogin(step, status, username, refusalText(languageOf(step.request), error));
  }

  /** The library keeps to the account it knows from before; when it is another one now, the application asks anew. */
  function finishLogin(step: Step, accountId: string): Promise<FastifyReply> {
    const known = step.interaction.session?.accountId;
    return known !== undefined && known !== accountId ? restart(step) : finish(step, { login: { accountId } });
  }

  async function finish(
    { provider, request, reply }: Step,
    result: Parameters<Provider['interactionResult']>[2],
  ): Promise<FastifyReply> {
    return reply.redirect(await provider.interactionResult(request.raw, reply.raw, result), 303);
  }

  async function restart({ interaction, reply }: Step): Promise<FastifyReply> {
    sessions.dropCookies(reply, PROVIDER_COOKIES);
    const params = Object.entries(interaction.params).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return reply.redirect(`${MOUNT}/authorize?${new URLSearchParams(params)}`, 303);
  }
}

/** The application was shown to the account that is now signed in. */
function isTheirs({ interaction, session }: Step): boolean {
  return session !== undefined && interaction.session?.accountId === String(session.account.id);
}

function isOurForm(request: FastifyRequest, session: Session | undefined): boolean {
  const sent = membersOf(request.body)['csrfmiddlewaretoken'];
  const cookie = readCookie(request.headers.cookie, CSRF_COOKIE);
  if (typeof sent !== 'string' || cookie === undefined || !sameText(sent, cookie)) return false;
  return session === undefined ? sent !== '' : sameText(sent, csrfToken(session.token));
}

type Missing = { readonly oidc: readonly string[]; readonly api: readonly string[] };

function missingScopes(details: Readonly<Record<string, unknown>>): Missing {
  const list = (value: unknown): string[] =>
    Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  return {
    oidc: list(details['missingOIDCScope']),
    api: Object.values(membersOf(details['missingResourceScopes'])).flatMap(list),
  };
}

/** Adds what is missing to what the account has granted the application before. */
async function saveGrant(provider: Provider, interaction: Interaction, session: Session): Promise<string> {
  const { details } = interaction.prompt;
  const known = interaction.grantId === undefined ? undefined : await provider.Grant.find(interaction.grantId);
  const grant =
    known ??
    new provider.Grant({
      accountId: String(session.account.id),
      clientId: String(interaction.params['client_id']),
    });
  grant.addOIDCScope(missingScopes(details).oidc.join(' '));
  const claims = details['missingOIDCClaims'];
  if (Array.isArray(claims)) grant.addOIDCClaims(claims.filter((claim) => typeof claim === 'string'));
  for (const [resource, scopes] of Object.entries(membersOf(details['missingResourceScopes']))) {
    if (Array.isArray(scopes)) grant.addResourceScope(resource, scopes.join(' '));
  }
  return grant.save();
}

/** Undefined: an application of the machine's own scheme, which no policy can name as an origin. */
function originOf({ params }: Interaction): string | undefined {
  return policyOrigin(String(params['redirect_uri']));
}

function languageOf(request: FastifyRequest): MailLanguage {
  return mailLanguage(request.headers['accept-language']);
}

function showFailure(reply: FastifyReply, error: PortalError): FastifyReply {
  const { status, headers } = portalReply(error, { isVisitor: true, isScript: true });
  reply.headers(headers);
  const language = languageOf(reply.request);
  return showPage(reply, status, errorPage(language, error.kind, refusalText(language, error)));
}

function showPage(reply: FastifyReply, status: number, html: string, targets: readonly string[] = []): FastifyReply {
  return reply.code(status).headers(pageHeaders(targets)).type('text/html; charset=utf-8').send(html);
}
