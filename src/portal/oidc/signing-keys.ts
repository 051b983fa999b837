// The keys that tokens are signed with and cookies of the provider are protected by. Made once, by whichever copy of the
// program is first, and kept in the database: all copies have the same.

import { generateKeyPair, type JsonWebKey, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { CallerDb } from '../../auth/caller-db.ts';
import { loadKeySet, type VerificationKeys } from '../../auth/keys.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import { jsonRow } from '../../pg/rows.ts';

type SigningKey = JsonWebKey & { readonly kid: string; readonly alg: 'RS256'; readonly use: 'sig' };

export type SigningKeys = {
  /** Private; the first one signs. */
  readonly keys: readonly [SigningKey, ...SigningKey[]];
  /** Public halves, for verifying. */
  readonly verification: VerificationKeys;
  readonly cookieKeys: readonly string[];
};

type Stored = Pick<SigningKeys, 'keys' | 'cookieKeys'>;

const NAME = 'token-keys';

export async function loadSigningKeys(db: CallerDb): Promise<Result<SigningKeys, DbError>> {
  const known = await db.service([{ text: 'select portal.known_secret($1)', params: [NAME] }]);
  if (!known.ok) return known;
  let stored = known.value[0] === undefined ? undefined : jsonRow(known.value[0]);
  if (stored === undefined) {
    const fresh = JSON.stringify(await makeKeys());
    const kept = await db.service([{ text: 'select portal.service_secret($1, $2::jsonb)', params: [NAME, fresh] }]);
    if (!kept.ok) return kept;
    stored = kept.value[0] === undefined ? undefined : jsonRow(kept.value[0]);
  }
  const { keys, cookieKeys } = stored as Stored;
  const verification = loadKeySet({ keys: keys.map(publicHalf) });
  if (!verification.ok) throw new Error(`the stored token keys cannot be used: ${verification.error.message}`);
  return ok({ keys, cookieKeys, verification: verification.value });
}

/** The JWK set that others verify our tokens with, as text: what the REST service takes as its `jwt-secret`. */
export function publicJwks({ keys }: Pick<SigningKeys, 'keys'>): string {
  return JSON.stringify({ keys: keys.map(publicHalf) });
}

function publicHalf({ kty, n, e, kid, alg, use }: SigningKey): JsonWebKey {
  return { ...(kty === undefined ? {} : { kty }), n, e, kid, alg, use } as JsonWebKey;
}

/** RSA, which every OpenID client knows. */
export async function makeKeys(): Promise<Stored> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const kid = randomBytes(9).toString('base64url');
  return {
    keys: [{ ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }],
    cookieKeys: [randomBytes(32).toString('base64url')],
  };
}
