// The statements that the service would send for a request, for pgbench to send them too.

import type { HttpRequest } from '../../src/http/http-message.ts';
import type { Driver, Param, Statement } from '../../src/pg/driver.ts';
import { scopeStatement } from '../../src/pg/scope.ts';
import { authenticate, makeAuthContext } from '../../src/rest/auth/authenticate.ts';
import type { RestConfig } from '../../src/rest/config/config.ts';
import { makeShape } from '../../src/rest/pipeline/make-shape.ts';
import { requestScope } from '../../src/rest/pipeline/request-scope.ts';
import { sentSettings } from '../../src/rest/pipeline/sent-settings.ts';
import { makeState, type RestState } from '../../src/rest/pipeline/state.ts';
import { makePlan } from '../../src/rest/plan/make-plan.ts';
import { RESPONSE_STATEMENT } from '../../src/rest/query/main-query.ts';
import { parseRequest } from '../../src/rest/request/parse-request.ts';
import { fillParams } from '../../src/rest/run/fill-params.ts';
import { loadSchemaCache } from '../../src/rest/schema-cache/introspect.ts';
import type { PlainStatement } from '../lib/pgbench.ts';

export async function loadState(driver: Driver, config: RestConfig): Promise<RestState> {
  const cache = await loadSchemaCache(driver, { schemas: config.dbSchemas, extraSearchPath: config.dbExtraSearchPath });
  if (!cache.ok) throw new Error(JSON.stringify(cache.error));
  const auth = makeAuthContext(config);
  if (!auth.ok) throw new Error(auth.error.message);
  return makeState({ config, version: 'bench', auth: auth.value, cache: cache.value, roles: new Map() });
}

export async function statementsFor(http: HttpRequest, state: RestState): Promise<readonly Statement[]> {
  if (state.cache === undefined) throw new Error('no schema');
  const who = await authenticate(http.headers, state.auth, true);
  const request = parseRequest(http, state.config, state.cache.timezones);
  if (!who.ok || !request.ok) throw new Error(JSON.stringify([who, request]));
  const plan = makePlan(request.value, { cache: state.cache, config: state.config });
  if (!plan.ok || plan.value.kind === 'info' || plan.value.kind === 'describe') throw new Error(JSON.stringify(plan));
  const shape = makeShape(request.value, plan.value, { prepare: true });
  const scope = requestScope(
    {
      http,
      sent: sentSettings(http),
      request: request.value,
      who: who.value,
      readOnly: shape.readOnly,
      routineSettings: [],
    },
    state,
  );
  const filled = ({ text, params, name }: typeof shape.main): Statement => ({
    text,
    params: fillParams(params, request.value),
    ...(name === undefined ? {} : { name }),
  });
  const rows = shape.rows?.held.cells ?? shape.rows?.held.texts;
  if (rows !== undefined)
    return [scopeStatement(scope, true), filled(rows), { text: RESPONSE_STATEMENT, params: [], name: 'response' }];
  return [
    scopeStatement(scope, true),
    ...(shape.before === undefined ? [] : [filled(shape.before)]),
    filled(shape.main),
  ];
}

export function plain(statement: Statement): PlainStatement {
  return { text: statement.text, params: statement.params.map(plainParam) };
}

function plainParam(param: Param): string | null {
  if (param === null || typeof param === 'string') return param;
  return Buffer.from(param instanceof Uint8Array ? param : param.binary).toString();
}
