// A connection string as libpq takes them (URI or key=value) → its parameters by keyword.
// Nothing is filled in here, and no value ever enters an error: one of them may be a password.

import { err, ok, type Result } from '../../kernel/result.ts';

export type ConninfoError = { readonly kind: 'conninfo'; readonly message: string };
export type Conninfo = ReadonlyMap<string, string>;

/** All of libpq's keywords; those that have no meaning here are accepted and left alone. */
const KEYWORDS: ReadonlySet<string> = new Set(
  `application_name channel_binding client_encoding connect_timeout dbname fallback_application_name gssdelegation
  gssencmode gsslib host hostaddr keepalives keepalives_count keepalives_idle keepalives_interval krbsrvname
  load_balance_hosts max_protocol_version min_protocol_version options passfile password port replication require_auth
  requirepeer requiressl ssl_max_protocol_version ssl_min_protocol_version sslcert sslcertmode sslcompression sslcrl
  sslcrldir sslkey sslmode sslnegotiation sslpassword sslrootcert sslsni target_session_attrs tcp_user_timeout user
  uselibpqcompat`.split(/\s+/),
);

export function parseConninfo(text: string): Result<Conninfo, ConninfoError> {
  const parsed = /^postgres(ql)?:\/\//.test(text) ? parseUri(text) : parseKeywords(text);
  if (!parsed.ok) return parsed;
  // A misplaced quote or an unescaped ? makes a keyword of a piece of the password, so it is counted and not named.
  const position = [...parsed.value.keys()].findIndex((keyword) => !KEYWORDS.has(keyword));
  if (position >= 0) return fail(`parameter ${position + 1} of the connection string is not a connection option`);
  return parsed;
}

function parseUri(uri: string): Result<Conninfo, ConninfoError> {
  const found = new Map<string, string>();
  const rest = uri.slice(uri.indexOf('://') + 3);
  const queryAt = rest.indexOf('?');
  const beforeQuery = queryAt < 0 ? rest : rest.slice(0, queryAt);
  const slash = beforeQuery.indexOf('/');
  const beforePath = slash < 0 ? beforeQuery : beforeQuery.slice(0, slash);
  // The last @ ends the credentials, so that a password may hold one unescaped.
  const at = beforePath.lastIndexOf('@');
  const credentials = at < 0 ? '' : beforePath.slice(0, at);
  const authority = beforePath.slice(at + 1);

  const pairs: [string, string][] = [];
  const colon = credentials.indexOf(':');
  pairs.push(['user', colon < 0 ? credentials : credentials.slice(0, colon)]);
  if (colon >= 0) pairs.push(['password', credentials.slice(colon + 1)]);
  if (slash >= 0) pairs.push(['dbname', beforeQuery.slice(slash + 1)]);

  const hosts = splitAuthority(authority);
  if (!hosts.ok) return hosts;
  pairs.push(['host', hosts.value.map(({ host }) => host).join(',')]);
  const ports = hosts.value.map(({ port }) => port);
  if (ports.some((port) => port !== '')) pairs.push(['port', ports.join(',')]);

  for (const pair of queryAt < 0 ? [] : rest.slice(queryAt + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    if (equals < 0) return fail('a parameter in the query of the connection URI has no value');
    const keyword = decode(pair.slice(0, equals));
    if (keyword === undefined) return fail('invalid percent-encoding in the connection URI');
    // Older drivers say ssl=true where libpq says sslmode=require.
    if (keyword === 'ssl') pairs.push(['sslmode', pair.slice(equals + 1) === 'true' ? 'require' : 'prefer']);
    else pairs.push([keyword, pair.slice(equals + 1)]);
  }

  for (const [keyword, encoded] of pairs) {
    const value = decode(encoded);
    if (value === undefined) return fail('invalid percent-encoding in the connection URI');
    if (value !== '' || keyword === 'port') found.set(keyword, value);
  }
  return ok(found);
}

type Place = { readonly host: string; readonly port: string };

function splitAuthority(authority: string): Result<readonly Place[], ConninfoError> {
  const places: Place[] = [];
  for (const part of authority.split(',')) {
    const match = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d*))?$/.exec(part);
    if (match === null) return fail('the host part of the connection URI is malformed');
    places.push({ host: match[1] ?? match[2] ?? '', port: match[3] ?? '' });
  }
  return ok(places);
}

function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}

function parseKeywords(text: string): Result<Conninfo, ConninfoError> {
  const found = new Map<string, string>();
  const pair = /\s*([^\s=]+)\s*(?:(=)\s*('(?:[^'\\]|\\.)*'|'|(?:[^\s\\]|\\.)*))?/sy;
  let at = 0;
  const end = text.trimEnd().length;
  while (at < end) {
    pair.lastIndex = at;
    const match = pair.exec(text);
    // The word itself stays out of the message: it may be a password that was not quoted.
    if (match === null || match[2] === undefined) return fail('missing "=" in the connection string');
    const [whole, keyword = '', , value = ''] = match;
    if (value === "'") return fail('unterminated quoted value in the connection string');
    const inner = value.startsWith("'") ? value.slice(1, -1) : value;
    found.set(keyword, inner.replace(/\\(.)/gs, '$1'));
    at += whole.length;
  }
  return ok(found);
}

function fail(message: string): Result<never, ConninfoError> {
  return err({ kind: 'conninfo', message });
}
