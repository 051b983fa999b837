// Who asks and with what, as the settings of the request's transaction.

import type { HttpHeaders, HttpRequest } from '../../http/http-message.ts';
import type { Who } from '../auth/authenticate.ts';
import type { ScopeParts, Setting } from '../../pg/scope.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { RestState } from './state.ts';

const NO_SETTINGS: readonly Setting[] = [];

export type ScopeInput = {
  readonly http: HttpRequest;
  readonly request: Pick<ApiRequest, 'schema' | 'path' | 'preferences'>;
  readonly who: Who;
  readonly readOnly: boolean;
  /** Settings that the called function carries. */
  readonly routineSettings: readonly Setting[];
};

export function requestScope(
  { http, request, who, readOnly, routineSettings }: ScopeInput,
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
    headers: headersJson(http.headers),
    cookies: cookiesJson(http.headers['cookie']),
    timezone: request.preferences.timezone,
    routineSettings,
    appSettings: state.appSettings,
  };
}

/** Of a header sent several times the last one; cookies have a setting of their own. */
function headersJson(headers: HttpHeaders): string {
  let json = '';
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || name === 'cookie') continue;
    json += `${json === '' ? '{' : ','}${JSON.stringify(name)}:${JSON.stringify(typeof value === 'string' ? value : (value.at(-1) ?? ''))}`;
  }
  return json === '' ? '{}' : `${json}}`;
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
