// Sign-in with an OpenID Connect provider: GET /account/oidc/start sends the browser there, GET /account/oidc/callback is where it comes back to. What a
// sign-in needs in between is sealed in a cookie of this browser, so that an answer which was begun elsewhere is nobody's. What goes wrong is told
// on the sign-in page. An account that links itself to a person there (link-routes) comes back to the same address.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { err, ok, type Result } from '../../../kernel/result.ts';
import { described } from '../../description/described-route.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import type { PortalContext } from '../../portal-context.ts';
import type { Account } from '../account-store.ts';
import { type ApprovalMail, tellApprovers } from '../approval-letters.ts';
import { cookieLine, readCookie } from '../cookies.ts';
import { nextPage } from '../login-form.ts';
import { noteCaller } from '../note-caller.ts';
import { makeProof, type ProofParts } from '../proof.ts';
import type { Sealing } from '../sealed.ts';
import { RETURN, START } from './described.ts';
import { registerLinkRoutes } from './link-routes.ts';
import { type Person, personOf } from './person.ts';
import type { Begun, ProviderClient } from './provider-client.ts';
import type { ProviderSettings } from './provider-settings.ts';

export type ProviderParts = {
  readonly settings: ProviderSettings;
  readonly client: ProviderClient;
  readonly sealing: Sealing<Kept>;
  readonly publicUrl: string;
};

/** What a sign-in keeps in the browser. `link`: the account that is to be linked; nobody is signed in then. */
type Kept = Begun & { readonly next: string; readonly link?: number };

/** Why somebody is not signed in, as the sign-in page is told in `problem`. */
type Problem = 'cancelled' | 'expired' | 'provider' | 'unknown' | 'inactive';

type Found = Account & { readonly needsSecondStep: boolean };

/** How making a link ended, as the account page is told in `provider`. */
type LinkOutcome = 'linked' | 'taken' | 'other' | 'cancelled' | 'expired' | 'failed';

export const CALLBACK = '/account/oidc/callback';
const COOKIE = 'provider_sign_in';

export function registerProviderRoutes(
  app: FastifyInstance,
  context: PortalContext,
  { settings, client, sealing, publicUrl }: ProviderParts,
  accountParts: ProofParts & { readonly mail: ApprovalMail },
): void {
  const { db, observe, answerError, identify } = context;
  const { sessions, secondFactor, mail } = accountParts;
  const secure = publicUrl.startsWith('https:');
  const setCookie = (reply: FastifyReply, value: string, maxAge: number): FastifyReply =>
    reply.header('Set-Cookie', cookieLine(COOKIE, value, { maxAge, secure, httpOnly: true }));
  const tell = (reply: FastifyReply, problem: Problem, next = '/'): FastifyReply =>
    reply
      .header('Cache-Control', 'no-store')
      .redirect(`/account/login?${new URLSearchParams({ problem, ...(next === '/' ? {} : { next }) })}`, 303);
  const fail = (reply: FastifyReply, error: unknown, next: string): FastifyReply => {
    observe({ kind: 'provider-failed', message: saidBy(error) });
    return tell(reply, 'provider', next);
  };

  app.get('/account/oidc/start', described(START), async (request, reply) => {
    const next = nextPage(request.query, publicUrl);
    try {
      const { url, begun } = await client.begin();
      setCookie(reply, await sealing.seal({ ...begun, next }), sealing.seconds);
      return reply.header('Cache-Control', 'no-store').redirect(url, 303);
    } catch (error) {
      return fail(reply, error, next);
    }
  });

  registerLinkRoutes(app, context, {
    issuer: settings.issuer,
    prove: makeProof(context, accountParts),
    async begin(reply, account) {
      try {
        const { url, begun } = await client.begin();
        setCookie(reply, await sealing.seal({ ...begun, next: '/', link: account }), sealing.seconds);
        return url;
      } catch (error) {
        observe({ kind: 'provider-failed', message: saidBy(error) });
        return undefined;
      }
    },
  });

  app.get(CALLBACK, described(RETURN), async (request, reply) => {
    const kept = await sealing.open(readCookie(request.headers.cookie, COOKIE));
    setCookie(reply, '', 0);
    if (kept === undefined) return tell(reply, 'expired');
    const person = await personFrom(request, kept);
    if (kept.link !== undefined) {
      const outcome = await linked(request, kept.link, person);
      if (!outcome.ok) return answerError(request, reply, outcome.error);
      const told = new URLSearchParams({ tab: 'access', provider: outcome.value });
      return reply.header('Cache-Control', 'no-store').redirect(`/account?${told}`, 303);
    }
    if (!person.ok) {
      return person.error === 'cancelled'
        ? tell(reply, 'cancelled', kept.next)
        : fail(reply, person.error.cause, kept.next);
    }
    const found = await accountOf(person.value);
    if (!found.ok) return answerError(request, reply, found.error);
    if (typeof found.value === 'string') return tell(reply, found.value, kept.next);
    const { needsSecondStep, ...account } = found.value;
    if (needsSecondStep) {
      await secondFactor.ask(reply, account, true);
      const step = new URLSearchParams({ step: 'second', next: kept.next });
      return reply.header('Cache-Control', 'no-store').redirect(`/account/login?${step}`, 303);
    }
    noteCaller(request.raw, { kind: 'account', ...account, via: 'session' });
    const mode = context.mode();
    if (mode.kind === 'maintenance' && account.role !== 'survest_admin')
      return answerError(request, reply, { kind: 'service-closed', mode: mode.kind, message: mode.message });
    const begun = await sessions.begin(request, reply, account, { fromProvider: true });
    if (!begun.ok) return answerError(request, reply, begun.error);
    return reply.header('Cache-Control', 'no-store').redirect(kept.next, 303);
  });

  async function personFrom(
    request: FastifyRequest,
    kept: Kept,
  ): Promise<Result<Person, 'cancelled' | { readonly cause: unknown }>> {
    // The address that the provider knows, whatever this request calls us.
    const answer = new URL(`${publicUrl}${CALLBACK}`);
    const at = request.url.indexOf('?');
    answer.search = at < 0 ? '' : request.url.slice(at);
    try {
      return ok(personOf(await client.finish(answer, kept), settings.groupsClaim, settings.groups));
    } catch (cause) {
      const isRefusal = cause instanceof Error && 'error' in cause && cause.error === 'access_denied';
      return err(isRefusal ? 'cancelled' : { cause });
    }
  }

  /** For the account that began it, as long as it is the one that is signed in here. */
  async function linked(
    request: FastifyRequest,
    account: number,
    person: Awaited<ReturnType<typeof personFrom>>,
  ): Promise<Result<LinkOutcome, PortalError>> {
    const who = await identify(request);
    if (!who.ok) return who;
    if (who.value.kind !== 'account' || who.value.id !== account) return ok('expired');
    if (!person.ok) {
      if (person.error === 'cancelled') return ok('cancelled');
      observe({ kind: 'provider-failed', message: saidBy(person.error.cause) });
      return ok('failed');
    }
    const executed = await db.service([
      {
        text: 'select portal.link_provider($1::integer, $2, $3)',
        params: [String(account), settings.issuer, person.value.subject],
      },
    ]);
    if (!executed.ok) return err({ kind: 'database', error: executed.error });
    const outcome = executed.value[0]?.rows[0]?.[0]?.toString();
    return ok(outcome === 'linked' || outcome === 'taken' ? outcome : 'other');
  }

  async function accountOf(person: Person): Promise<Result<Found | 'unknown' | 'inactive', PortalError>> {
    const executed = await db.service([
      {
        name: 'portal_sign_in_from_provider',
        text: `select state, account_id, username, db_role, to_json(unknown_groups), portal.second_step_after_provider(account_id, $3::boolean)
          from portal.sign_in_from_provider($1::jsonb, $2::jsonb)`,
        params: [
          JSON.stringify({
            issuer: settings.issuer,
            subject: person.subject,
            email: person.email,
            email_verified: person.isEmailVerified,
            username: person.username,
            first_name: person.firstName,
            last_name: person.lastName,
            groups: person.groups,
          }),
          JSON.stringify({
            registration: settings.registration,
            link_by_email: settings.linkByEmail,
            groups: [...new Set(settings.groups.map(({ slug }) => slug))],
          }),
          String(settings.secondFactor),
        ],
      },
    ]);
    if (!executed.ok) return err({ kind: 'database', error: executed.error });
    const [state, id, username = '', role, unknownGroups = '[]', needsSecondStep] =
      executed.value[0]?.rows[0]?.map((cell) => cell?.toString()) ?? [];
    const strangers: readonly string[] = JSON.parse(unknownGroups);
    if (strangers.length > 0)
      observe({ kind: 'provider-failed', message: `there is no group ${strangers.join(', ')}: see oidc-groups` });
    // Told once, when it was made.
    if (state === 'inactive') await tellApprovers(db, mail, Number(id));
    if (state === 'unknown' || state === 'inactive') return ok(state);
    return ok({
      id: Number(id),
      username,
      role: role === 'survest_admin' ? 'survest_admin' : 'survest_user',
      needsSecondStep: needsSecondStep === 't',
    });
  }
}

/** The library's sentences name no token and no secret; what the provider wrote is cut. */
function saidBy(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, MAX_SAID);
  const { message, cause } = error;
  const deeper = cause instanceof Error ? `: ${cause.message}` : '';
  const code = 'error' in error && typeof error.error === 'string' ? ` (${error.error})` : '';
  return `${message}${code}${deeper}`.replace(/\p{Cc}/gu, ' ').slice(0, MAX_SAID);
}

const MAX_SAID = 300;
