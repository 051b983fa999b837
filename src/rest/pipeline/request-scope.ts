// Who asks and with what, as the settings of the request's transaction.

import type { HttpRequest } from '../../http/http-message.ts';
import type { ScopeParts, Setting } from '../../pg/scope.ts';
import type { Who } from '../auth/authenticate.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { SentSettings } from './sent-settings.ts';
import { type RestState, tokenCheckOf } from './state.ts';

const NO_SETTINGS: readonly Setting[] = [];

export type ScopeInput = {
  readonly http: HttpRequest;
  readonly sent: SentSettings;
  readonly request: Pick<ApiRequest, 'schema' | 'path' | 'preferences'>;
  readonly who: Who;
  readonly readOnly: boolean;
  /** Settings that the called function carries. */
  readonly routineSettings: readonly Setting[];
  /** Of a request that is traced. */
  readonly traceparent?: string | undefined;
};

/** What the role says for itself counts. */
function withTimeLimit(settings: readonly Setting[], { timeLimit }: RestState): readonly Setting[] {
  if (timeLimit === undefined) return settings;
  if (settings.length === 0) return timeLimit;
  return settings.some(([name]) => name.toLowerCase() === 'statement_timeout') ? settings : [...timeLimit, ...settings];
}

export function requestScope(
  { http, sent, request, who, readOnly, routineSettings, traceparent }: ScopeInput,
  state: RestState,
): ScopeParts {
  return {
    readOnly,
    searchPath: state.searchPaths.get(request.schema) ?? '',
    roleSettings: withTimeLimit(state.roles.get(who.role)?.settings ?? NO_SETTINGS, state),
    role: who.role,
    claims: who.claimsJson,
    method: http.method,
    path: request.path,
    headers: sent.headers,
    cookies: sent.cookies,
    timezone: request.preferences.timezone,
    routineSettings,
    // A setting of the transaction, as all of them: the statements stay the same for every request.
    appSettings:
      traceparent === undefined ? state.appSettings : [...state.appSettings, ['application_name', traceparent]],
    check: tokenCheckOf(state, who),
  };
}
