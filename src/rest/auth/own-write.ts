// CSRF protection of `jwt-cookie`: whether a request that writes was sent by a page of this server, or by no page at all. A browser
// sends the cookie along wherever the request comes from, and browsers without `Sec-Fetch-Site` say so by `Origin` or `Referer` only.

import { firstHeader, type HttpHeaders, type HttpRequest } from '../../http/http-message.ts';
import type { RestConfig } from '../config/config.ts';

type Settings = Pick<RestConfig, 'openapiServerProxyUri' | 'serverCorsAllowedOrigins'>;

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY']);

/** What a form, or a script without asking beforehand, can send to another site. */
const FORM_TYPES: ReadonlySet<string> = new Set([
  '',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
]);

/** True: the request only reads, or its write comes from our pages, from those of an allowed origin, or from a program. */
export function isOwnWrite({ method, headers }: Pick<HttpRequest, 'method' | 'headers'>, settings: Settings): boolean {
  if (READS.has(method)) return true;
  const page = firstHeader(headers, 'origin') ?? firstHeader(headers, 'referer');
  return page === undefined ? !isFormLike(method, headers) : isOurs(page, headers, settings);
}

function isFormLike(method: string, headers: HttpHeaders): boolean {
  const [type = ''] = (firstHeader(headers, 'content-type') ?? '').split(';', 1);
  return method === 'POST' && FORM_TYPES.has(type.trim().toLowerCase());
}

function isOurs(page: string, headers: HttpHeaders, settings: Settings): boolean {
  const sender = parsed(page);
  // `null`, of a sandboxed frame or after a redirect, is nobody's.
  if (sender === undefined) return false;
  const { openapiServerProxyUri: proxy, serverCorsAllowedOrigins: allowed } = settings;
  if (allowed?.includes(sender.origin) === true) return true;
  if (proxy !== undefined && parsed(proxy)?.origin === sender.origin) return true;
  // TLS may end before us: which of the two protocols was spoken is not known, but the host is.
  return parsed(`${sender.protocol}//${firstHeader(headers, 'host') ?? ''}`)?.host === sender.host;
}

function parsed(address: string): URL | undefined {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined;
  return new URL(address);
}
