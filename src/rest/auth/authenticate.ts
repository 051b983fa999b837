// Stage 0: headers in, who asks out: the role to switch to and the claims the database will see. No database is asked; that
// the role exists and may be switched to is for PostgreSQL to say.
//
// Everything made from settings is in an `AuthContext`, made when they are loaded; everything made from a token is
// remembered with it. A request with a known token costs a map lookup and gets the same `Who` object again.

import type { Claims } from '../../auth/check-claims.ts';
import { type ClaimPath, walkClaimPath } from '../../auth/claim-path.ts';
import { claimsJson } from '../../auth/claims-json.ts';
import { keyIdOf } from '../../auth/decode-jwt.ts';
import { type JwksOptions, makeJwksVerifier, parseJwksUrl } from '../../auth/jwks-url.ts';
import { loadKeys } from '../../auth/keys.ts';
import { makeVerifier, type Verified, type Verifier, type VerifierOptions } from '../../auth/verify-jwt.ts';
import type { HttpHeaders } from '../../http/http-message.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { RestConfig } from '../config/config.ts';
import type { AuthError } from './auth-error.ts';
import { requestToken } from './request-token.ts';

export type Who = {
  /** The role the transaction switches to. */
  readonly role: string;
  /** The role is the anonymous one, also when a token named it: privileges it lacks are then 401, not 403. */
  readonly isAnonymous: boolean;
  /** For `request.jwt.claims`: all claims, `role` being the one above. */
  readonly claimsJson: string;
  readonly claims: Claims;
  /** The schema that a claim of the token names; undefined: none does, or none is asked for. */
  readonly schema?: string;
  /** A token says so; false: there was none. */
  readonly hasToken: boolean;
  /** The token was verified with `portalKeys`. */
  readonly isOfPortal?: boolean;
};

/** Whether a token says what it may be used for, and writing is not among it. Whoever looks at tokens in the database holds it to that. */
export function mayOnlyRead({ hasToken, claims }: Who): boolean {
  const { scope } = claims;
  return hasToken && typeof scope === 'string' && !scope.split(' ').includes('write');
}

type Answer = Result<Who, AuthError>;

export type AuthContext = {
  /** Undefined: no secret is configured. */
  readonly verifier: Verifier<Answer> | undefined;
  /** What a request without a token is. */
  readonly nobody: Answer;
  readonly cookieName: string | undefined;
  readonly clock: Clock;
};

export type AuthSettings = Pick<
  RestConfig,
  | 'dbAnonRole'
  | 'dbSchemaClaim'
  | 'jwtAud'
  | 'jwtCacheMaxEntries'
  | 'jwtCacheMaxLifetime'
  | 'jwtCookie'
  | 'jwtRoleClaimKey'
  | 'jwtSecret'
  | 'jwtSecretIsBase64'
  | 'portalKeys'
>;

export type AuthTools = JwksOptions & { readonly clock?: Clock };

/** Made once per configuration. The error is a mistake in `jwt-secret`, worded for the operator. */
export function makeAuthContext(
  settings: AuthSettings,
  tools: AuthTools = {},
): Result<AuthContext, { readonly message: string }> {
  const anonymous = settings.dbAnonRole;
  const verifier = makeTokenVerifier(settings, tools);
  if (!verifier.ok) return verifier;
  return ok({
    verifier: verifier.value,
    nobody:
      anonymous === undefined
        ? err({ kind: 'anonymous-disabled' })
        : ok({ ...makeWho(anonymous, anonymous, {}, '{}'), hasToken: false }),
    cookieName: settings.jwtCookie,
    clock: tools.clock ?? systemClock,
  });
}

/**
 * A known token is answered at once, a new one maybe later: await only what is a promise. `takesCookie`: a token in a cookie
 * counts, because no page of another site can have sent it along.
 */
export function authenticate(
  headers: HttpHeaders,
  context: AuthContext,
  takesCookie: boolean,
): Answer | Promise<Answer> {
  const token = requestToken(headers, takesCookie ? context.cookieName : undefined);
  if (token === undefined) return context.nobody;
  if (token === '') return err({ kind: 'jwt-empty' });
  if (context.verifier === undefined) return err({ kind: 'jwt-secret-missing' });
  const verified = context.verifier.verify(token, context.clock.now());
  return verified instanceof Promise ? verified.then(flatten) : flatten(verified);
}

function makeTokenVerifier(
  settings: AuthSettings,
  tools: AuthTools,
): Result<Verifier<Answer> | undefined, { readonly message: string }> {
  if (settings.jwtSecret === undefined) return ok(undefined);
  const own = makeOwnVerifier(settings, settings.jwtSecret, tools);
  if (!own.ok || settings.portalKeys === undefined) return own;
  return besidePortal(own.value, settings.portalKeys, settings);
}

function makeOwnVerifier(
  settings: AuthSettings,
  secret: string,
  tools: AuthTools,
): Result<Verifier<Answer>, { readonly message: string }> {
  const options: VerifierOptions<Answer> = {
    audience: settings.jwtAud,
    cacheMaxLifetime: settings.jwtCacheMaxLifetime,
    cacheMaxEntries: settings.jwtCacheMaxEntries,
    derive: (claims, payload) =>
      withSchema(whoOfClaims(claims, payload, settings.jwtRoleClaimKey, settings.dbAnonRole), settings.dbSchemaClaim),
  };
  const url = settings.jwtSecretIsBase64 ? undefined : parseJwksUrl(secret);
  if (url !== undefined) return url.ok ? ok(makeJwksVerifier(url.value, options, tools)) : url;
  const keys = loadKeys(secret, { isBase64: settings.jwtSecretIsBase64 });
  return keys.ok ? ok(makeVerifier(keys.value, options)) : keys;
}

/** Tokens that name a key of the portal are verified with it, all others as `jwt-secret` and its companions say. */
function besidePortal(
  own: Verifier<Answer>,
  portalKeys: string,
  settings: AuthSettings,
): Result<Verifier<Answer>, { readonly message: string }> {
  const keys = loadKeys(portalKeys, { isBase64: false });
  if (!keys.ok) return keys;
  const portal = makeVerifier<Answer>(keys.value, {
    audience: undefined,
    cacheMaxLifetime: settings.jwtCacheMaxLifetime,
    cacheMaxEntries: settings.jwtCacheMaxEntries,
    derive: (claims, payload) => {
      const who = withSchema(whoOfClaims(claims, payload, PORTAL_ROLE, settings.dbAnonRole), settings.dbSchemaClaim);
      return who.ok ? ok({ ...who.value, isOfPortal: true }) : who;
    },
  });
  const { keys: set } = JSON.parse(portalKeys) as { readonly keys: readonly { readonly kid: string }[] };
  const names = new Set(set.map(({ kid }) => kid));
  return ok({
    verify(token, nowMs) {
      const kid = keyIdOf(token);
      return (kid !== undefined && names.has(kid) ? portal : own).verify(token, nowMs);
    },
  });
}

/** The portal has the role in the claim of that name, whatever `jwt-role-claim-key` says of others. */
const PORTAL_ROLE: ClaimPath = [{ kind: 'key', key: 'role' }];

function whoOfClaims(claims: Claims, payload: string, path: ClaimPath, anonymous: string | undefined): Answer {
  const found = walkClaimPath(path, claims);
  if (found === undefined) {
    return anonymous === undefined
      ? err({ kind: 'anonymous-disabled' })
      : ok(makeWho(anonymous, anonymous, claims, payload));
  }
  const role = roleText(found);
  if (role === undefined || isImpossible(role)) return err({ kind: 'role-impossible', role: role ?? '…' });
  return ok(makeWho(role, anonymous, claims, payload));
}

/** A claim that is no text names no schema that there could be. */
function withSchema(who: Answer, path: ClaimPath | undefined): Answer {
  if (!who.ok || path === undefined) return who;
  const named = walkClaimPath(path, who.value.claims);
  return named === undefined ? who : ok({ ...who.value, schema: typeof named === 'string' ? named : '' });
}

function makeWho(role: string, anonymous: string | undefined, claims: Claims, payload: string): Who {
  return { role, isAnonymous: role === anonymous, claimsJson: claimsJson(payload, role), claims, hasToken: true };
}

/** A string is the role itself; any other value names it by its JSON text. Undefined: nested too deep to have one. */
function roleText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/**
 * `none` is no role: PostgreSQL reserves the word, and switching to it would go back to the authenticator. A NUL can stand in no name
 * and in no text the server takes.
 */
function isImpossible(role: string): boolean {
  return role === 'none' || role.includes('\0');
}

function flatten(verified: Verified<Answer>): Answer {
  return verified.ok ? verified.value : verified;
}
