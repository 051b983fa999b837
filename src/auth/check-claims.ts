// The claims that bound a token: from when until when, and for whom. In the order of the model: exp, nbf, iat, aud.

import { err, ok, type Result } from '../kernel/result.ts';
import type { JwtError, TimeClaim } from './jwt-error.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** Seconds since 1970; a claim that is absent leaves its end open. */
export type Lifetime = { readonly expires: number; readonly notBefore: number; readonly issued: number };

const SKEW_SECONDS = 30;

/** All checks on a token seen for the first time; what remains to be asked later is whether `Lifetime` still holds. */
export function checkClaims(claims: Claims, audience: string | undefined, nowMs: number): Result<Lifetime, JwtError> {
  let life: Lifetime = {
    expires: Number.POSITIVE_INFINITY,
    notBefore: Number.NEGATIVE_INFINITY,
    issued: Number.NEGATIVE_INFINITY,
  };
  for (const [claim, end] of ENDS) {
    const value = claims[claim];
    // Null is absent, as for every optional member of JSON.
    if (value === undefined || value === null) continue;
    if (typeof value !== 'number') return err({ kind: 'jwt-claim-not-number', claim });
    life = { ...life, [end]: value };
    const wrong = checkLifetime(life, nowMs);
    if (wrong !== undefined) return err(wrong);
  }
  const wrong = checkAudience(claims['aud'], audience);
  return wrong === undefined ? ok(life) : err(wrong);
}

const ENDS: readonly (readonly [TimeClaim, keyof Lifetime])[] = [
  ['exp', 'expires'],
  ['nbf', 'notBefore'],
  ['iat', 'issued'],
];

export function checkLifetime(life: Lifetime, nowMs: number): JwtError | undefined {
  const now = Math.floor(nowMs / 1000);
  if (now > life.expires + SKEW_SECONDS) return { kind: 'jwt-expired' };
  if (now < life.notBefore - SKEW_SECONDS) return { kind: 'jwt-not-yet-valid' };
  if (now < life.issued - SKEW_SECONDS) return { kind: 'jwt-issued-in-future' };
  return undefined;
}

/** Absent, null and [] are for everyone; where no audience is configured, every well-formed one is accepted. */
function checkAudience(aud: unknown, audience: string | undefined): JwtError | undefined {
  if (aud === undefined || aud === null) return undefined;
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!named.every((one) => typeof one === 'string')) return { kind: 'jwt-audience-type' };
  if (audience === undefined || named.length === 0 || named.includes(audience)) return undefined;
  return { kind: 'jwt-audience-mismatch' };
}
