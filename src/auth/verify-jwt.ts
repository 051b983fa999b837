// Token in, what the service makes of its claims out, or why not. A verifier belongs to one set of keys and one set of
// settings; when any of them changes a new one is made, and with it everything remembered is gone.
//
// Signature, audience and claims are a function of token and verifier alone, so they are worked out once per token text and
// remembered, successes only; whether exp, nbf and iat still hold is asked on every request. A token seen before is thus
// answered at once, without a promise and without cryptography.
//
// `jwt-cache-max-lifetime` and `-max-entries` bound what is remembered: a token with exp until it has run out, one without
// for the configured seconds. With the cache switched off a fixed number of signatures is remembered all the same; the
// answers cannot differ.

import { err, ok, type Result } from '../kernel/result.ts';
import { type Claims, checkClaims, checkLifetime, type Lifetime } from './check-claims.ts';
import { decodeJwt, decodeUtf8, parseJsonObject } from './decode-jwt.ts';
import type { JwtError } from './jwt-error.ts';
import { keysFor, type VerificationKeys } from './keys.ts';
import { type SignedToken, signatureHolds } from './signature.ts';
import { makeTokenMemo } from './token-memo.ts';

export type VerifierOptions<T> = {
  /** What `aud` must name; undefined: anything. */
  readonly audience: string | undefined;
  /** Seconds; 0 switches the cache off. */
  readonly cacheMaxLifetime: number;
  readonly cacheMaxEntries: number;
  /** Made once per token and remembered with it. `payload` is the JSON text of the claims. */
  readonly derive: (claims: Claims, payload: string) => T;
};

export type Verified<T> = Result<T, JwtError>;

export type Verifier<T> = {
  /** A token seen before, and one signed with HMAC, is answered at once. */
  verify(token: string, nowMs: number): Verified<T> | Promise<Verified<T>>;
};

type Known<T> = { readonly life: Lifetime; readonly answer: Verified<T>; readonly forgetAt: number };

const REMEMBERED_WITHOUT_CACHE = 1000;

export function makeVerifier<T>(keys: VerificationKeys, options: VerifierOptions<T>): Verifier<T> {
  const cached = options.cacheMaxLifetime > 0 && options.cacheMaxEntries > 0;
  const known = makeTokenMemo<Known<T>>(cached ? options.cacheMaxEntries : REMEMBERED_WITHOUT_CACHE);

  const accept = (signed: SignedToken, nowMs: number): Verified<T> => {
    const payload = decodeUtf8(signed.payload);
    const claims = parseJsonObject(payload);
    if (payload === undefined || claims === undefined) return err({ kind: 'jwt-claims-unreadable' });
    const checked = checkClaims(claims, options.audience, nowMs);
    if (!checked.ok) return checked;
    const answer = ok(options.derive(claims, payload));
    const endless = checked.value.expires === Number.POSITIVE_INFINITY;
    const forgetAt = cached && endless ? nowMs + options.cacheMaxLifetime * 1000 : Number.POSITIVE_INFINITY;
    known.set(signed.token, { life: checked.value, answer, forgetAt });
    return answer;
  };

  const verifyNew = (token: string, nowMs: number): Verified<T> | Promise<Verified<T>> => {
    const decoded = decodeJwt(token);
    if (!decoded.ok) return decoded;
    const signed = decoded.value;
    const candidates = keysFor(keys, signed.alg, signed.kid);
    if (candidates.length === 0) return err({ kind: 'jwt-no-key' });
    const held = someKeyHolds(signed, candidates);
    const decide = (holds: boolean): Verified<T> =>
      holds ? accept(signed, nowMs) : err({ kind: 'jwt-bad-signature' });
    return typeof held === 'boolean' ? decide(held) : held.then(decide);
  };

  return {
    verify(token, nowMs) {
      const entry = known.get(token);
      if (entry === undefined) return verifyNew(token, nowMs);
      if (nowMs >= entry.forgetAt) {
        known.delete(token);
        return verifyNew(token, nowMs);
      }
      const wrong = checkLifetime(entry.life, nowMs);
      if (wrong === undefined) return entry.answer;
      known.delete(token);
      return err(wrong);
    },
  };
}

/** One key after the other; waits only where a key makes it wait. */
function someKeyHolds(signed: SignedToken, candidates: VerificationKeys, from = 0): boolean | Promise<boolean> {
  for (let i = from; i < candidates.length; i += 1) {
    const key = candidates[i];
    if (key === undefined) continue;
    const holds = signatureHolds(signed, key);
    if (holds === true) return true;
    if (holds !== false) return holds.then((yes) => yes || someKeyHolds(signed, candidates, i + 1));
  }
  return false;
}
