// Why a token is not accepted. Data only; each service has its own words for them.

export type TimeClaim = 'exp' | 'nbf' | 'iat';

export type JwtError =
  /** A token was announced and there is none. */
  | { readonly kind: 'jwt-empty' }
  /** Not three parts between dots (an encrypted token has five). */
  | { readonly kind: 'jwt-parts'; readonly parts: number }
  /** Base64, header or algorithm that cannot be read. */
  | { readonly kind: 'jwt-undecodable' }
  /** `alg` is `none`. */
  | { readonly kind: 'jwt-unsecured' }
  /** No key fits the token's `kid` and `alg`. */
  | { readonly kind: 'jwt-no-key' }
  | { readonly kind: 'jwt-bad-signature' }
  /** Signed, but the payload is not a JSON object. */
  | { readonly kind: 'jwt-claims-unreadable' }
  | { readonly kind: 'jwt-claim-not-number'; readonly claim: TimeClaim }
  | { readonly kind: 'jwt-expired' }
  | { readonly kind: 'jwt-not-yet-valid' }
  | { readonly kind: 'jwt-issued-in-future' }
  | { readonly kind: 'jwt-audience-type' }
  | { readonly kind: 'jwt-audience-mismatch' }
  /** The keys are fetched from an address that has not answered yet. */
  | { readonly kind: 'jwt-keys-unavailable' };
