// The signature algorithms there are, and which of them a key of a given type can verify. `none` is not among them, and
// no algorithm stands with two types: an RSA key can never be taken for an HMAC secret.

export type JwtAlgorithm =
  | 'HS256'
  | 'HS384'
  | 'HS512'
  | 'RS256'
  | 'RS384'
  | 'RS512'
  | 'PS256'
  | 'PS384'
  | 'PS512'
  | 'ES256'
  | 'ES384'
  | 'ES512'
  | 'EdDSA'
  | 'Ed25519'
  | 'Ed448';

export type KeyType = 'oct' | 'RSA' | 'P-256' | 'P-384' | 'P-521' | 'Ed25519' | 'Ed448';

export const ALGORITHMS_OF_KEY: { readonly [T in KeyType]: readonly JwtAlgorithm[] } = {
  oct: ['HS256', 'HS384', 'HS512'],
  RSA: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  'P-256': ['ES256'],
  'P-384': ['ES384'],
  'P-521': ['ES512'],
  // RFC 9864 gives the two curves names of their own; EdDSA stays what most issuers write.
  Ed25519: ['EdDSA', 'Ed25519'],
  Ed448: ['EdDSA', 'Ed448'],
};

const KNOWN: ReadonlySet<string> = new Set(Object.values(ALGORITHMS_OF_KEY).flat());

export function isJwtAlgorithm(name: unknown): name is JwtAlgorithm {
  return typeof name === 'string' && KNOWN.has(name);
}
