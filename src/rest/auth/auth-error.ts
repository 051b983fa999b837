// Why a request has no role to run as. Data only; the words are in errors/.

import type { JwtError } from '../../auth/jwt-error.ts';

export type AuthError =
  | JwtError
  /** A token came, but the service has no key to verify it with. */
  | { readonly kind: 'jwt-secret-missing' }
  /** No role in sight, from a token or otherwise, and no anonymous one configured. */
  | { readonly kind: 'anonymous-disabled' }
  /** The token names a role that PostgreSQL cannot have. */
  | { readonly kind: 'role-impossible'; readonly role: string };
