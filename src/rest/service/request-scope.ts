// Who asks and with what, as the settings of the request's transaction.

import type { HttpHeaders, HttpRequest } from '../../http/http-message.ts';
import type { ScopeParts, Setting } from '../../pg/scope.ts';
import type { Who } from '../auth/authenticate.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { RestState } from './state.ts';

const NO_SETTINGS: readonly Setting[] = [];

/** What the client sent beside its question, as the database is told of it. */
export type SentSettings = Pick<ScopeParts, 'headers' | 'cookies'>;

export type ScopeInput = {
  readonly http: HttpRequest;
  readonly sent: SentSettings;
  readonly request: Pick<ApiRequest, 'schema' | 'path' | 'preferences'>;
  readonly who: Who;
  readonly readOnly: boolean;
  /** Settings that the called function carries. */
  readonly routineSettings: readonly Setting[];
};

export function requestScope(
  { http, sent, request, who, readOnly, routineSettings }: ScopeInput,
  state: RestState,
): ScopeParts {
  return {
    readOnly,
    searchPath: state.searchPaths.get(request.schema) ?? '',
    roleSettings: state.roles.get(who.role)?.settings ?? NO_SETTINGS,
    role: who.role,
    claims: who.claimsJson,
    method: http.method,
    path: request.path,
    headers: sent.headers,
    cookies: sent.cookies,
    timezone: request.preferences.timezone,
    routineSettings,
    appSettings: state.appSettings,
  };
}

const sentBefore = new WeakMap<HttpHeaders, SentSettings>();

export function sentSettings({ headers, isRepeated }: HttpRequest): SentSettings {
  const known = isRepeated === true ? sentBefore.get(headers) : undefined;
  if (known !== undefined) return known;
  const sent = { headers: headersJson(headers), cookies: cookiesJson(headers['cookie']) };
  if (isRepeated === true) sentBefore.set(headers, sent);
  return sent;
}

/** Of a header sent several times the last one; cookies have a setting of their own. */
function headersJson(headers: HttpHeaders): string {
  // Node has joined repeated headers already, all but this one: the whole object is what is wanted.
  if (headers['cookie'] === undefined && headers['set-cookie'] === undefined) return JSON.stringify(headers);
  const { cookie: _, 'set-cookie': repeated, ...rest } = headers;
  return JSON.stringify(repeated === undefined ? rest : { ...rest, 'set-cookie': repeated.at(-1) });
}

function cookiesJson(header: string | readonly string[] | undefined): string {
  if (header === undefined) return '{}';
  const cookies = new Map<string, string>();
  for (const pair of (typeof header === 'string' ? header : header.join(';')).split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0) cookies.set(pair.slice(0, equals).trim(), pair.slice(equals + 1).trim());
  }
  return `{${[...cookies].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
}
