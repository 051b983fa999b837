// What a token may never do: change a way into an account. Whoever stole one would stay when it is revoked. These are the addresses; of the fields of an
// account, and of every table that holds a way in, the database refuses the same by itself (`portal_private.guard_way_in`).

import type { FastifyRequest } from 'fastify';
import type { PortalError } from '../errors/portal-error.ts';
import { isSafeMethod } from './csrf.ts';

/** Below these addresses a token only reads. */
const CLOSED: readonly string[] = [
  // The password, the mail address, second factors, passkeys, links to a provider, tokens, signing out, invitations, applications.
  '/account/',
  '/api/v2/sessions',
  '/api/v2/access-tokens',
  '/api/v2/users/:id/second-factor',
  // What runs there could say of itself that somebody else asks.
  '/api/v2/sql',
];

/** Closed where it is about the token's own account. */
const OWN_PASSWORD = '/api/v2/users/:id/password';

export const NOT_BY_TOKEN: PortalError = { kind: 'bad-credentials', reason: 'any-token' };

export function isNotByToken({ method, routeOptions, params }: FastifyRequest, account: number): boolean {
  const path = routeOptions.url ?? '';
  if (isSafeMethod(method)) return false;
  if (path === OWN_PASSWORD) return Number((params as { readonly id: string }).id) === account;
  return CLOSED.some((closed) => path.startsWith(closed));
}
