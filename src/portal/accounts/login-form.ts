// The form of GET /account/login/ as clients of GeoNode and Django fill it in: name, password, the CSRF token of the page's cookie
// repeated in a field or a header, and where to go afterwards. Pure.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { membersOf } from './body-fields.ts';
import { readCookie } from './cookies.ts';
import { CSRF_COOKIE, sameText } from './session-token.ts';

export type LoginHeaders = {
  readonly cookie?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'x-csrftoken'?: string | string[] | undefined;
};

/**
 * A page of another site can send a form, and would sign somebody in as somebody else. It cannot read our cookie to repeat it; and a
 * browser says in Origin whose page it was, in case a neighbour under the same domain has set the cookie.
 */
export function checkLoginForm(headers: LoginHeaders, body: unknown, base: string): Result<undefined, PortalError> {
  const cookie = readCookie(headers.cookie, CSRF_COOKIE);
  if (cookie === undefined || cookie === '') return err({ kind: 'csrf', reason: 'missing-cookie' });
  const sent = headers['x-csrftoken'] ?? membersOf(body)['csrfmiddlewaretoken'];
  const isOurs = headers.origin === undefined || headers.origin === new URL(base).origin;
  return isOurs && typeof sent === 'string' && sameText(sent, cookie)
    ? ok(undefined)
    : err({ kind: 'csrf', reason: 'mismatch' });
}

/** `login` is what the field for the name is called in newer pages of theirs. */
export function withUsername(body: unknown): Readonly<Record<string, unknown>> {
  const given = membersOf(body);
  return { ...given, username: given['username'] ?? given['login'] };
}

/** A path of ours; anything that a browser could take for another site leads to the first page. */
export function nextPage(body: unknown, base: string): string {
  const { next } = membersOf(body);
  if (typeof next !== 'string' || next.length > 2000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next)) return '/';
  const { origin, pathname, search, hash } = new URL(next, base);
  return origin === new URL(base).origin && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : '/';
}
