// The root: the OpenAPI document of what the caller may see. The database says what that is, in the caller's own scope.

import { isBodiless } from '../../http/header-text.ts';
import type { HttpReply } from '../../http/http-message.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { scopeStatement } from '../../pg/scope.ts';
import type { Who } from '../auth/authenticate.ts';
import type { RestError } from '../errors/rest-error.ts';
import type { DescribePlan } from '../plan/plan.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { makeDocuments } from '../response/openapi/documents.ts';
import { overrideHeaders, parseResponseSettings } from '../response/response-settings.ts';
import { askVisible } from '../run/ask-visible.ts';
import type { Exchange } from './exchange.ts';
import { qualified } from './qualified-name.ts';
import { requestScope } from './request-scope.ts';
import { responseStatement } from './response-statement.ts';
import { sentSettings } from './sent-settings.ts';

const documents = makeDocuments();

const CONTENT_TYPE = {
  swagger2: 'application/openapi+json; charset=utf-8',
  openapi31: 'application/vnd.oai.openapi+json;version=3.1; charset=utf-8',
} satisfies Readonly<Record<DescribePlan['document'], string>>;

export async function describeApi(
  exchange: Exchange,
  request: ApiRequest,
  who: Who,
  plan: DescribePlan,
): Promise<Result<HttpReply, RestError>> {
  const { http, state, driver, signal, watch } = exchange;
  const { cache, config } = state;
  if (cache === undefined) return err({ kind: 'schema-cache-missing' });
  if (config.openapiMode === 'disabled') return err({ kind: 'root-disabled' });
  watch.lap('plan');
  const scope = scopeStatement(
    requestScope({ http, sent: sentSettings(http), request, who, readOnly: true, routineSettings: [] }, state),
    config.dbPreparedStatements,
  );
  const before = state.preRequest;
  const visible = await askVisible(
    driver,
    before === undefined ? [scope] : [scope, before],
    {
      mode: config.openapiMode,
      schema: request.schema,
      guard: config.dbRelationGuard === undefined ? undefined : qualified(config.dbRelationGuard),
      // Nothing else that runs here sets them.
      response: before === undefined ? undefined : responseStatement(state),
    },
    signal === undefined ? {} : { signal },
  );
  watch.lap('transaction');
  if (!visible.ok) return visible;
  const settings = parseResponseSettings(visible.value.headers, visible.value.status);
  if (!settings.ok) return settings;
  const body = await documents.document({
    format: plan.document === 'swagger2' ? 'swagger-2.0' : 'openapi-3.1',
    schema: request.schema,
    cache,
    visible: visible.value,
    config,
    version: state.version,
    ...(http.mount === undefined ? {} : { mount: http.mount }),
  });
  watch.lap('response');
  const status = settings.value.status ?? 200;
  const headers: [string, string][] = [['Vary', 'Accept']];
  if (!isBodiless(status)) {
    headers.push(['Content-Type', CONTENT_TYPE[plan.document]]);
    if (request.schemaNegotiated) headers.push(['Content-Profile', request.schema]);
    if (!plan.headOnly) headers.push(['Content-Length', String(body.length)]);
  }
  return ok({
    status,
    headers: overrideHeaders(headers, settings.value.headers),
    ...(plan.headOnly || isBodiless(status) ? {} : { body }),
  });
}
