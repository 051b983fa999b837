// The OpenID provider of one portal address: which endpoints, tokens, scopes and rules there are. Everything a protocol
// demands is the library's business; who somebody is, is the portal session's.

import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Configuration, Account as OidcAccount } from 'oidc-provider';
import type { CallerDb } from '../../auth/caller-db.ts';
import type { Observe } from '../../kernel/observation.ts';
import { type Identity, identityOf, sessionAccount } from '../accounts/account-store.ts';
import { readCookie } from '../accounts/cookies.ts';
import { SESSION_COOKIE, SESSION_SECONDS, sessionHash } from '../accounts/session-token.ts';
import { mailLanguage } from '../mail/letters.ts';
import { API_SCOPES, AUDIENCE, accountClaims } from './access-token.ts';
import type { BearerTokens } from './bearer-tokens.ts';
import { sameSecret } from './client-secret.ts';
import { makeOidcStore } from './oidc-adapter.ts';
import { errorPage, pageHeaders } from './pages.ts';
import { interactionPolicy, Provider } from './provider-library.ts';
import type { SigningKeys } from './signing-keys.ts';
import { answerForStructuredTokens, mayIntrospect, mayRevoke } from './structured-tokens.ts';
import { claimsOfIdentity } from './user-claims.ts';

export type ProviderParts = {
  readonly db: CallerDb;
  readonly keys: SigningKeys;
  readonly bearer: BearerTokens;
  /** Applications register themselves: discovery tells them where. */
  readonly registersClients: boolean;
  readonly observe: Observe;
};

/** Where the provider is, below the portal's address. */
export const MOUNT = '/o';

/** Where applications register themselves, if they may. */
export const REGISTRATION: string = `${MOUNT}/register`;

const ACCESS_TOKEN_SECONDS = 3600;
const INTERACTION_SECONDS = 900;

export function makeProvider(baseUrl: string, parts: ProviderParts): Provider {
  const provider = new Provider(`${baseUrl}${MOUNT}`, configuration(baseUrl, parts));
  // The portal's routes set the forwarding headers themselves, from the address they were reached by.
  provider.proxy = true;
  provider.silent = true;
  provider.Client.prototype.compareClientSecret = function (given) {
    return sameSecret(this.clientSecret, given);
  };
  provider.on('server_error', (_ctx, cause) => parts.observe({ kind: 'bug', id: 'oidc', cause }));
  const emitter: EventEmitter = provider;
  emitter.on('error', (cause: unknown) => parts.observe({ kind: 'bug', id: 'oidc', cause }));
  provider.use(answerForStructuredTokens(parts.bearer));
  return provider;
}

function configuration(baseUrl: string, { db, keys, registersClients }: ProviderParts): Configuration {
  return {
    discovery: registersClients ? { registration_endpoint: `${baseUrl}${REGISTRATION}` } : {},
    adapter: (kind: string) => makeOidcStore(db, kind),
    jwks: { keys: keys.keys.map((key) => ({ ...key })) } as NonNullable<Configuration['jwks']>,
    cookies: {
      keys: [...keys.cookieKeys],
      long: { httpOnly: true, sameSite: 'lax', signed: true },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    routes: {
      authorization: '/authorize',
      token: '/token',
      revocation: '/revoke_token',
      introspection: '/introspect',
      userinfo: '/userinfo',
      jwks: '/jwks',
      end_session: '/logout',
    },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    responseTypes: ['code'],
    // Those of the API are there so that discovery tells of them; tokens get them from the API's own entry below.
    scopes: ['openid', 'offline_access', ...API_SCOPES],
    claims: {
      openid: ['sub'],
      profile: ['name', 'given_name', 'family_name', 'preferred_username'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    // A confidential client proves itself by its secret; older ones do not know PKCE.
    pkce: { required: (_ctx, client) => client.clientAuthMethod === 'none' },
    clientBasedCORS: (_ctx, origin, client) => (client.redirectUris ?? []).some((uri) => originOf(uri) === origin),
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // An application goes on working when its user closes the browser; a changed password ends it.
    expiresWithSession: async () => false,
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: 60,
      Grant: SESSION_SECONDS,
      IdToken: ACCESS_TOKEN_SECONDS,
      Interaction: INTERACTION_SECONDS,
      RefreshToken: SESSION_SECONDS,
      Session: SESSION_SECONDS,
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => mayRevoke(client, token.clientId) },
      introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => mayIntrospect(client, token.clientId) },
      // Every access token is for the API, and so is a JWT; which application holds it makes no difference to that.
      resourceIndicators: {
        enabled: true,
        defaultResource: () => AUDIENCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          // With `email` the token itself says that its owner lets the application know the address.
          scope: [...API_SCOPES, 'email'].join(' '),
          audience: AUDIENCE,
          accessTokenTTL: ACCESS_TOKEN_SECONDS,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    interactions: {
      policy: portalPolicy(db),
      url: (_ctx, interaction) => `${MOUNT}/interaction/${interaction.uid}`,
    },
    async findAccount(_ctx, sub) {
      const identity = await requireIdentity(db, sub);
      return identity === undefined ? undefined : oidcAccount(identity);
    },
    async extraTokenClaims(_ctx, token) {
      if (!('accountId' in token) || token.accountId === undefined) return undefined;
      const identity = await requireIdentity(db, token.accountId);
      if (identity === undefined) return undefined;
      return { ...accountClaims(identity, token.scopes.has('write')), gid: token.grantId };
    },
    renderError(ctx, out) {
      ctx.set(pageHeaders([]));
      ctx.type = 'html';
      ctx.body = errorPage(mailLanguage(ctx.get('accept-language')), out.error, out.error_description ?? '');
    },
  };
}

/** The library's own session is a shadow of the portal's: it counts for nothing when that one has ended or changed hands. */
function portalPolicy(db: CallerDb): ReturnType<typeof interactionPolicy.base> {
  const policy = interactionPolicy.base();
  policy.get('login')?.checks.add(
    new interactionPolicy.Check(
      'portal_session',
      'End-User authentication is required',
      'login_required',
      async (ctx) => {
        const account = await portalAccount(db, ctx.req);
        return ctx.oidc.session?.accountId !== (account === undefined ? undefined : String(account));
      },
    ),
  );
  return policy;
}

async function portalAccount(db: CallerDb, request: IncomingMessage): Promise<number | undefined> {
  const hash = sessionHash(readCookie(request.headers.cookie, SESSION_COOKIE) ?? '');
  if (hash === undefined) return undefined;
  const found = await sessionAccount(db, hash);
  if (!found.ok) throw new Error('the sessions cannot be read');
  return found.value?.id;
}

async function requireIdentity(db: CallerDb, sub: string): Promise<Identity | undefined> {
  if (!/^[1-9]\d{0,8}$/.test(sub)) return undefined;
  const found = await identityOf(db, Number(sub));
  if (!found.ok) throw new Error('the accounts cannot be read');
  return found.value;
}

function oidcAccount(identity: Identity): OidcAccount {
  return { accountId: String(identity.id), claims: () => claimsOfIdentity(identity) };
}

function originOf(uri: string): string | undefined {
  return URL.canParse(uri) ? new URL(uri).origin : undefined;
}
