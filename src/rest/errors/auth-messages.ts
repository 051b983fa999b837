// Words for requests that have no role to run as. The challenge tells a client what to do about it: bring a token, or another one.

import type { AuthError } from '../auth/auth-error.ts';
import type { ErrorMessage, MessageTable } from './error-message.ts';

export const authMessages: MessageTable<AuthError> = {
  'jwt-secret-missing': () => ({ status: 500, code: 'SVRST300', message: 'Server lacks JWT secret' }),
  'jwt-empty': () => undecodable('Empty JWT is sent in Authorization header'),
  'jwt-parts': ({ parts }) => undecodable(`Expected 3 parts in JWT; got ${parts}`),
  'jwt-undecodable': () => undecodable('JWT cryptographic operation failed'),
  'jwt-unsecured': () =>
    undecodable('Wrong or unsupported encoding algorithm', "JWT is unsecured but expected 'alg' was not 'none'"),
  'jwt-no-key': () => undecodable('No suitable key or wrong key type', 'No suitable key was found to decode the JWT'),
  'jwt-bad-signature': () =>
    undecodable('No suitable key or wrong key type', 'None of the keys was able to decode the JWT'),
  'jwt-claims-unreadable': () => refusedClaims('Parsing claims failed'),
  'jwt-claim-not-number': ({ claim }) => refusedClaims(`The JWT '${claim}' claim must be a number`),
  'jwt-expired': () => refusedClaims('JWT expired'),
  'jwt-not-yet-valid': () => refusedClaims('JWT not yet valid'),
  'jwt-issued-in-future': () => refusedClaims('JWT issued at future'),
  'jwt-audience-type': () => refusedClaims("The JWT 'aud' claim must be a string or an array of strings"),
  'jwt-audience-mismatch': () => refusedClaims('JWT not in audience'),
  'anonymous-disabled': () => ({
    status: 401,
    code: 'SVRST302',
    message: 'Anonymous access is disabled',
    headers: [['WWW-Authenticate', 'Bearer']],
  }),
  // As PostgreSQL answers for a role it could have but has not.
  'role-impossible': ({ role }) => ({
    status: 401,
    code: '22023',
    message: `role "${role}" does not exist`,
    headers: [['WWW-Authenticate', 'Bearer']],
  }),
  // A code of our own (the model has no keys by address): the token may well be good, so it is not a 401.
  'jwt-keys-unavailable': () => ({
    status: 503,
    code: 'SVRST390',
    message: 'The keys for verifying the JWT are not available',
    details: 'The JWK set could not be fetched yet.',
  }),
};

/** What the token hung on is gone: its session, its grant or its account. */
export function revokedMessage(): ErrorMessage {
  return refusedClaims('JWT revoked');
}

/** RFC 6750, 3.1. */
export function onlyReadsMessage(): ErrorMessage {
  return {
    status: 403,
    code: 'SVRST391',
    message: 'The token may only read',
    hint: 'Use a token with the scope "write".',
    headers: [['WWW-Authenticate', 'Bearer error="insufficient_scope", scope="write"']],
  };
}

function undecodable(message: string, details: string | null = null): ErrorMessage {
  return { status: 401, code: 'SVRST301', message, details, headers: [invalidToken(message)] };
}

function refusedClaims(message: string): ErrorMessage {
  return { status: 401, code: 'SVRST303', message, headers: [invalidToken(message)] };
}

function invalidToken(message: string): readonly [string, string] {
  return ['WWW-Authenticate', `Bearer error="invalid_token", error_description="${message}"`];
}
