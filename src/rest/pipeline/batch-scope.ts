// The settings of a batch's transaction: who asks is said once, what each request is about before each of them.

import type { HttpRequest } from '../../http/http-message.ts';
import type { Statement } from '../../pg/driver.ts';
import { scopeStatement } from '../../pg/scope.ts';
import type { Who } from '../auth/authenticate.ts';
import { requestScope } from './request-scope.ts';
import { sentSettings } from './sent-settings.ts';
import type { RestState } from './state.ts';

export type BatchScope = {
  readonly http: HttpRequest;
  readonly who: Who;
  readonly timezone: string | undefined;
  /** Of a request that is traced. */
  readonly traceparent?: string | undefined;
};

/** Never read-only: that could not be taken back for the requests that write. Those that read are kept from it by a savepoint. */
export function batchScope({ http, who, timezone, traceparent }: BatchScope, state: RestState): Statement {
  const preferences = { invalid: [], ...(timezone === undefined ? {} : { timezone }) };
  const request = { schema: state.config.dbSchemas[0], path: http.path, preferences };
  const scope = requestScope(
    { http, sent: sentSettings(http), request, who, readOnly: false, routineSettings: [], traceparent },
    state,
  );
  return scopeStatement(scope, state.config.dbPreparedStatements);
}

/** Role and claims again, too: a function of an earlier request may have changed them. What one set of its answer is not the next one's. */
const STEP = `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true), set_config('search_path', $3, true),
  set_config('request.method', $4, true), set_config('request.path', $5, true), set_config('request.headers', $6, true),
  set_config('request.cookies', $7, true), set_config('response.headers', '', true), set_config('response.status', '', true),
  set_config('survest.updated', '', true)`;

export function stepScope(
  { http, who, schema }: BatchScope & { readonly schema: string },
  state: RestState,
): Statement {
  const sent = sentSettings(http);
  const searchPath = state.searchPaths.get(schema) ?? '';
  const params = [who.role, who.claimsJson, searchPath, http.method, http.path, sent.headers, sent.cookies];
  const name = state.config.dbPreparedStatements ? { name: 'batch_step' } : {};
  return { text: STEP, params, ignoreRows: true, ...name };
}
