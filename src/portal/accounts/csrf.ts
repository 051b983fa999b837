// Requests that a browser sends with the session's cookie, but that no page of ours asked for. A page of another site can
// make it send them; it can neither read the cookie `csrftoken` nor set the header that repeats it.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { readCookie } from './cookies.ts';
import { CSRF_COOKIE, csrfToken, sameText } from './session-token.ts';

export type CsrfHeaders = {
  readonly cookie?: string | undefined;
  readonly 'x-csrftoken'?: string | string[] | undefined;
};

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

export function isSafeMethod(method: string): boolean {
  return SAFE.has(method);
}

/** For a request that is in the name of a session. */
export function checkCsrf(method: string, headers: CsrfHeaders, sessionToken: string): Result<undefined, PortalError> {
  if (isSafeMethod(method)) return ok(undefined);
  const cookie = readCookie(headers.cookie, CSRF_COOKIE);
  if (cookie === undefined) return err({ kind: 'csrf', reason: 'missing-cookie' });
  const sent = headers['x-csrftoken'];
  // That cookie and header agree is not enough: a neighbour under the same domain can set both. They must be the session's.
  const expected = csrfToken(sessionToken);
  return typeof sent === 'string' && sameText(sent, expected) && sameText(cookie, expected)
    ? ok(undefined)
    : err({ kind: 'csrf', reason: 'mismatch' });
}
