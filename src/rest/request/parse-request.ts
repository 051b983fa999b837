// Stage 1: an HTTP request, already read, to what it asks for; or the first thing that is wrong with it, looked for in a
// fixed order: path, schema, method, query, window, body. Nothing is compared with the database yet.

import { allHeaders, firstHeader, type HttpRequest } from '../../http/http-message.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { RestConfig } from '../config/config.ts';
import { type Action, chooseAction, parsePath } from './action.ts';
import type { ApiRequest, QueryParams, Window } from './api-request.ts';
import { parseAccept, parseContentType } from './media-type.ts';
import { parseNested } from './nested-body.ts';
import { JSON_PATCH, MERGE_PATCH, parseJsonPatch, parseMergePatch } from './patch-body.ts';
import { type Payload, parsePayload, takesPayload } from './payload.ts';
import { parsePreferences } from './preferences.ts';
import { meantRequest, queryOfBody } from './query-body.ts';
import { parseQueryParams, type QueryMode } from './query-params.ts';
import type { RequestError } from './request-error.ts';
import { chooseSchema } from './schema-header.ts';
import { ALL_ROWS, parseRootWindow, type WindowTexts } from './window.ts';

export type RequestConfig = Pick<RestConfig, 'dbSchemas' | 'dbTxEnd' | 'dbRootSpec' | 'openapiMode'>;

const UNKEYED = new Uint8Array(32);

export function parseRequest(
  http: HttpRequest,
  config: RequestConfig,
  timezones: ReadonlySet<string>,
  /** What cursors of keyset pages are signed with. */
  cursorKey: Uint8Array = UNKEYED,
): Result<ApiRequest, RequestError> {
  const { headers } = http;
  const { method, path, byBody } = meantRequest(http);
  const target = parsePath(path, config);
  if (!target.ok) return target;
  const chosen = chooseSchema(method, headers, config.dbSchemas);
  if (!chosen.ok) return chosen;
  const action = chooseAction(method, target.value);
  if (!action.ok) return action;
  const text = byBody ? queryOfBody(http) : ok(http.query);
  if (!text.ok) return text;
  const query = parseQueryParams(text.value, queryMode(action.value), {
    schema: chosen.value.schema,
    target: target.value,
    key: cursorKey,
    body: http.body,
  });
  if (!query.ok) return query;
  const window = windowFor(action.value, query.value.window, method, firstHeader(headers, 'range'));
  if (!window.ok) return window;
  const isCursor = query.value.params.after !== undefined && action.value.kind !== 'call';
  if (isCursor && window.value.offset > 0) return err({ kind: 'cursor-with-offset' });
  const payload = payloadFor(action.value, http, query.value.params);
  if (!payload.ok) return payload;
  const txAllowed = config.dbTxEnd === 'commit-allow-override' || config.dbTxEnd === 'rollback-allow-override';
  return ok({
    method: byBody ? 'GET' : method,
    path,
    byBody,
    target: target.value,
    action: action.value,
    schema: chosen.value.schema,
    schemaNegotiated: chosen.value.negotiated,
    query: queryFor(action.value, query.value.params),
    values: query.value.values,
    window: window.value,
    preferences: parsePreferences(allHeaders(headers, 'prefer'), { txAllowed, timezones }),
    accept: parseAccept(headers['accept'] === undefined ? undefined : allHeaders(headers, 'accept').join(',')),
    ...(payload.value && { payload: payload.value }),
  });
}

/** Filters mean nothing on the root and to OPTIONS, so what is none is not held against the client. */
function queryMode(action: Action): QueryMode {
  switch (action.kind) {
    case 'call':
      return action.by === 'post' ? 'call-post' : 'call-get';
    case 'describe':
    case 'info':
      return 'call-get';
    case 'read':
      return 'relation';
    default:
      return 'write';
  }
}

function changesRows(action: Action): boolean {
  return action.kind === 'insert' || action.kind === 'update' || action.kind === 'delete';
}

function windowFor(
  action: Action,
  texts: WindowTexts,
  method: string,
  range: string | undefined,
): Result<Window, RequestError> {
  const window = parseRootWindow(texts, method === 'GET' || method === 'QUERY' ? range : undefined);
  if (!window.ok) return window;
  if (action.kind === 'upsert-one' && (texts.offset !== undefined || texts.limit !== undefined))
    return err({ kind: 'put-with-window' });
  return changesRows(action) ? ok(ALL_ROWS) : window;
}

/** Writes return all that they changed: their windows count at no level. */
function queryFor(action: Action, params: QueryParams): QueryParams {
  if (params.windows.length === 0) return params;
  return changesRows(action) || action.kind === 'upsert-one' ? { ...params, windows: [] } : params;
}

function payloadFor(
  action: Action,
  http: HttpRequest,
  { columns, select }: QueryParams,
): Result<Payload | undefined, RequestError> {
  if (!takesPayload(action)) return ok(undefined);
  const contentType = parseContentType(firstHeader(http.headers, 'content-type'));
  if (action.kind === 'update' && contentType.kind === 'other') {
    if (contentType.name === MERGE_PATCH) return parseMergePatch(http.body);
    if (contentType.name === JSON_PATCH) return parseJsonPatch(http.body);
  }
  const payload = parsePayload(http.body, contentType, { action, columns });
  if (action.kind !== 'insert' || !payload.ok || payload.value.kind !== 'json' || payload.value.keys === undefined)
    return payload;
  const nested = parseNested(payload.value.bytes, payload.value.keys, select);
  if (!nested.ok) return nested;
  return nested.value === undefined ? payload : ok({ ...payload.value, nested: nested.value });
}
