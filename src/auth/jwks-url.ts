// Keys that live at an address: fetched with the first token, again now and then, and when a token names a key that is not
// among them, which is how issuers rotate. While a fetch fails the keys at hand stay in use. What a fetched set means is
// keys.ts; jose does the fetching (time limit, one request at a time, no redirects).

import { createRemoteJWKSet, errors } from 'jose';
import { err, ok, type Result } from '../kernel/result.ts';
import { loadKeySet } from './keys.ts';
import { makeVerifier, type Verified, type Verifier, type VerifierOptions } from './verify-jwt.ts';

export type JwksEvent =
  | { readonly kind: 'jwks-loaded'; readonly keys: number }
  /** `kept`: keys fetched earlier stay in use. */
  | { readonly kind: 'jwks-failed'; readonly message: string; readonly kept: boolean };

export type JwksOptions = {
  /** Told about every fetch; the address is not in it. */
  readonly observe?: (event: JwksEvent) => void;
  readonly timeoutMs?: number;
};

export type JwksUrlError = { readonly message: string };

/** Nobody can make us ask more often than this, whatever key ids they invent… */
const ATTEMPT_EVERY_MS = 30_000;
/** …but once in so long out of turn: an issuer may rotate its keys just after we asked. */
const OUT_OF_TURN_EVERY_MS = 300_000;
/** Until the first keys are there everyone is waiting for them. */
const FIRST_ATTEMPT_EVERY_MS = 2_000;
const REFRESH_AFTER_MS = 300_000;
const TIMEOUT_MS = 5_000;

/** The address, when the secret is one; undefined when it is a secret. */
export function parseJwksUrl(secret: string): Result<URL, JwksUrlError> | undefined {
  if (!/^https?:\/\//i.test(secret) || !URL.canParse(secret)) return undefined;
  const url = new URL(secret);
  if (url.username !== '' || url.password !== '')
    return err({ message: 'The address of the JWK set must not contain credentials.' });
  // Whoever can change the answer on its way can sign for every role.
  if (url.protocol === 'http:' && !isNearby(url.hostname)) {
    return err({
      message:
        'The address of the JWK set must be https; http is for this machine and for one-word names of a container network.',
    });
  }
  return ok(url);
}

export function makeJwksVerifier<T>(url: URL, options: VerifierOptions<T>, jwks: JwksOptions = {}): Verifier<T> {
  const remote = createRemoteJWKSet(url, { timeoutDuration: jwks.timeoutMs ?? TIMEOUT_MS });
  let verifier: Verifier<T> | undefined;
  let loaded = '';
  let attemptedAt = Number.NEGATIVE_INFINITY;
  let outOfTurnAt = Number.NEGATIVE_INFINITY;
  let loadedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  const load = async (nowMs: number): Promise<void> => {
    try {
      await remote.reload();
      const set = remote.jwks();
      const keys = loadKeySet(set);
      if (!keys.ok) throw new Error(keys.error.message);
      const text = JSON.stringify(set);
      // The same set again leaves everything remembered in place.
      if (text !== loaded || verifier === undefined) verifier = makeVerifier(keys.value, options);
      loaded = text;
      loadedAt = nowMs;
      jwks.observe?.({ kind: 'jwks-loaded', keys: keys.value.length });
    } catch (cause) {
      jwks.observe?.({ kind: 'jwks-failed', message: describe(cause), kept: verifier !== undefined });
    }
  };

  /** The fetch that is running or may be started now; undefined when it is too early for another. */
  const refresh = (nowMs: number): Promise<void> | undefined => {
    if (running !== undefined) return running;
    const since = nowMs - attemptedAt;
    // A clock that was set back must not keep us from asking until it has caught up.
    if (since >= 0 && since < (verifier === undefined ? FIRST_ATTEMPT_EVERY_MS : ATTEMPT_EVERY_MS)) {
      if (verifier === undefined || nowMs - outOfTurnAt < OUT_OF_TURN_EVERY_MS) return undefined;
      outOfTurnAt = nowMs;
    }
    attemptedAt = nowMs;
    running = load(nowMs).finally(() => {
      running = undefined;
    });
    return running;
  };

  const verifyOnce = (token: string, nowMs: number): Verified<T> | Promise<Verified<T>> =>
    verifier === undefined ? err({ kind: 'jwt-keys-unavailable' }) : verifier.verify(token, nowMs);

  const retryUnknownKey = (first: Verified<T>, token: string, nowMs: number): Verified<T> | Promise<Verified<T>> => {
    if (first.ok || first.error.kind !== 'jwt-no-key') return first;
    return refresh(nowMs)?.then(() => verifyOnce(token, nowMs)) ?? first;
  };

  return {
    verify(token, nowMs) {
      if (verifier === undefined)
        return refresh(nowMs)?.then(() => verifyOnce(token, nowMs)) ?? verifyOnce(token, nowMs);
      // In the background: this token is judged by the keys at hand.
      if (nowMs - loadedAt > REFRESH_AFTER_MS) void refresh(nowMs);
      const first = verifier.verify(token, nowMs);
      return first instanceof Promise
        ? first.then((answer) => retryUnknownKey(answer, token, nowMs))
        : retryUnknownKey(first, token, nowMs);
    },
  };
}

function isNearby(hostname: string): boolean {
  return !/[.:]/.test(hostname) || hostname === '127.0.0.1' || hostname === '[::1]' || hostname.endsWith('.localhost');
}

/** What went wrong, without the address. */
function describe(cause: unknown): string {
  if (cause instanceof errors.JOSEError) return cause.message;
  if (cause instanceof Error && cause.cause instanceof Error) return cause.cause.message;
  return cause instanceof Error ? cause.message : 'unknown error';
}
