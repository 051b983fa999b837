// Headers in, the token out: Authorization with the Bearer scheme, else the cookie the settings name. Any other scheme is
// no token at all, a Bearer with nothing behind it is an empty one.

import { firstHeader, type HttpHeaders } from '../../http/http-message.ts';

export function requestToken(headers: HttpHeaders, cookieName: string | undefined): string | undefined {
  const authorization = firstHeader(headers, 'authorization');
  const bearer = authorization === undefined ? undefined : bearerToken(authorization);
  if (bearer !== undefined || cookieName === undefined) return bearer;
  // A cookie goes along wherever the browser is sent from; another site's form must not write in its owner's name.
  const cookies = firstHeader(headers, 'cookie');
  if (cookies === undefined || firstHeader(headers, 'sec-fetch-site') === 'cross-site') return undefined;
  return cookieValue(cookies, cookieName);
}

function bearerToken(authorization: string): string | undefined {
  const scheme = authorization.slice(0, 6);
  if (scheme !== 'Bearer' && scheme.toLowerCase() !== 'bearer') return undefined;
  const rest = authorization.slice(6);
  if (rest !== '' && rest[0] !== ' ' && rest[0] !== '\t') return undefined;
  return rest.trim();
}

/** The first cookie of the name; an empty one counts as absent. */
function cookieValue(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue;
    const value = pair.slice(equals + 1).trim();
    const bare = value.startsWith('"') && value.endsWith('"') && value.length > 1 ? value.slice(1, -1) : value;
    return bare === '' ? undefined : bare;
  }
  return undefined;
}
