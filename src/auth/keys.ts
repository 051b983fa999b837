// The secret of the settings in, keys that can verify out: a JWK set, one JWK, or a passphrase. Which algorithms a key
// may verify is settled here, once, from the key alone; a token only names one and is refused when no key allows it.
// No message repeats the secret or a part of it.

import { createPublicKey, createSecretKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { err, ok, type Result } from '../kernel/result.ts';
import { trimEndOf } from '../kernel/trim-end.ts';
import { ALGORITHMS_OF_KEY, isJwtAlgorithm, type JwtAlgorithm, type KeyType } from './jwt-algorithm.ts';
import { decodeAnyBase64, decodeBase64Url } from './strict-base64.ts';

export type VerificationKey = {
  /** A passphrase has none, so it never answers a token that names one. */
  readonly kid: string | undefined;
  /** All that this key may verify. */
  readonly algorithms: readonly JwtAlgorithm[];
  readonly material: KeyObject;
};

export type VerificationKeys = readonly VerificationKey[];

export type KeysError = {
  readonly kind: 'secret-too-short' | 'secret-not-base64' | 'secret-is-pem' | 'jwk-unreadable' | 'jwk-unusable';
  readonly message: string;
};

type Members = { readonly [name: string]: unknown };

const PASSPHRASE_BYTES = 32;
const RSA_BITS = 2048;

export function loadKeys(
  secret: string,
  { isBase64 }: { readonly isBase64: boolean },
): Result<VerificationKeys, KeysError> {
  const bytes = isBase64 ? decodeAnyBase64(secret) : Buffer.from(secret, 'utf8');
  if (bytes === undefined) return fail('secret-not-base64', 'The JWT secret is not valid base64.');
  const text = isBase64 ? bytes.toString('utf8') : secret;
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) {
    const object = parseObject(trimmed);
    if (object !== undefined && 'keys' in object) return keysOfSet(object);
    if (object !== undefined && 'kty' in object) return keyOfOne(object);
    // A public key with a slip of the pen would otherwise become a passphrase that everyone can look up.
    if (/"(?:kty|keys)"/.test(trimmed))
      return fail('jwk-unreadable', 'The JWT secret looks like a JWK or a JWK set but is not valid JSON.');
  }
  if (trimmed.startsWith('-----BEGIN ')) {
    return fail(
      'secret-is-pem',
      'The JWT secret is a PEM file, which would be used as a passphrase. Convert the key to a JWK.',
    );
  }
  if (bytes.length < PASSPHRASE_BYTES)
    return fail('secret-too-short', 'The JWT secret must be at least 32 characters long.');
  return ok([{ kid: undefined, algorithms: ['HS256'], material: createSecretKey(bytes) }]);
}

/** A JWK set as it comes from an address: unusable keys are skipped, none left is an error. */
export function loadKeySet(jwks: unknown): Result<VerificationKeys, KeysError> {
  return isMembers(jwks) ? keysOfSet(jwks) : fail('jwk-unreadable', 'The JWK set is not a JSON object.');
}

/** The keys to try for a token: with a `kid` those of that `kid` alone, without one all that allow the algorithm. */
export function keysFor(keys: VerificationKeys, alg: JwtAlgorithm, kid: string | undefined): VerificationKeys {
  return keys.filter((key) => (kid === undefined || key.kid === kid) && key.algorithms.includes(alg));
}

function keysOfSet(set: Members): Result<VerificationKeys, KeysError> {
  const members = set['keys'];
  if (!Array.isArray(members)) return fail('jwk-unreadable', "The 'keys' of the JWK set must be an array.");
  const usable = members
    .filter(isMembers)
    .map(readJwk)
    .filter((key) => typeof key !== 'string');
  return usable.length > 0 ? ok(usable) : fail('jwk-unusable', 'The JWK set has no key that can verify signatures.');
}

function keyOfOne(jwk: Members): Result<VerificationKeys, KeysError> {
  const key = readJwk(jwk);
  return typeof key === 'string' ? fail('jwk-unusable', `The JWK cannot be used: ${key}.`) : ok([key]);
}

/** The key, or why it is of no use here. */
function readJwk(jwk: Members): VerificationKey | string {
  const { use, key_ops: operations } = jwk;
  // Some libraries write the members that have no value.
  const kid = jwk['kid'] ?? undefined;
  const alg = jwk['alg'] ?? undefined;
  if (kid !== undefined && typeof kid !== 'string') return "its 'kid' is not a string";
  if (use === 'enc') return 'it is for encryption';
  // A private key says `sign`; its public half is what we take from it.
  if (Array.isArray(operations) && !operations.includes('verify') && !operations.includes('sign'))
    return 'it is not for signatures';
  const found = keyMaterial(jwk);
  if (typeof found === 'string') return found;
  const possible = ALGORITHMS_OF_KEY[found.type];
  if (alg === undefined) return { kid, algorithms: possible, material: found.material };
  if (!isJwtAlgorithm(alg) || !possible.includes(alg)) return "its 'alg' is unknown or does not fit its type";
  return { kid, algorithms: [alg], material: found.material };
}

function keyMaterial(jwk: Members): { type: KeyType; material: KeyObject } | string {
  switch (jwk['kty']) {
    case 'oct': {
      const bytes = typeof jwk['k'] === 'string' ? decodeBase64Url(trimEndOf(jwk['k'], '=')) : undefined;
      return bytes === undefined || bytes.length === 0
        ? "its 'k' is missing or not base64url"
        : { type: 'oct', material: createSecretKey(bytes) };
    }
    case 'RSA': {
      const material = publicKey(jwk, ['kty', 'n', 'e']);
      if (material === undefined) return "its 'n' or 'e' is missing or wrong";
      return (material.asymmetricKeyDetails?.modulusLength ?? 0) < RSA_BITS
        ? `an RSA key needs ${RSA_BITS} bits or more`
        : { type: 'RSA', material };
    }
    case 'EC': {
      const curve = jwk['crv'];
      if (curve !== 'P-256' && curve !== 'P-384' && curve !== 'P-521') return 'its curve is unknown';
      const material = publicKey(jwk, ['kty', 'crv', 'x', 'y']);
      return material === undefined ? 'its point is not on the curve' : { type: curve, material };
    }
    case 'OKP': {
      const curve = jwk['crv'];
      if (curve !== 'Ed25519' && curve !== 'Ed448') return 'its curve is unknown';
      const material = publicKey(jwk, ['kty', 'crv', 'x']);
      return material === undefined ? "its 'x' is missing or wrong" : { type: curve, material };
    }
    default:
      return "its 'kty' is unknown";
  }
}

/** Only the public members are taken over: a private JWK in the settings verifies as its public half does. */
function publicKey(jwk: Members, names: readonly string[]): KeyObject | undefined {
  const key: JsonWebKey = {};
  for (const name of names) {
    if (typeof jwk[name] !== 'string') return undefined;
    key[name] = jwk[name];
  }
  try {
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function parseObject(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isMembers(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fail(kind: KeysError['kind'], message: string): Result<never, KeysError> {
  return err({ kind, message });
}
