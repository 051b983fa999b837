// A read that is asked again and again, for a live stream: who asks what, planned, and its batches. Each batch has the scope of its caller,
// as every request has; between two batches nothing of it is anywhere.

import { createHash } from 'node:crypto';
import type { HttpHeaders, HttpRequest } from '../../http/http-message.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Statement } from '../../pg/driver.ts';
import { scopeStatement } from '../../pg/scope.ts';
import { authenticate, type Who } from '../auth/authenticate.ts';
import { errorReply } from '../errors/error-reply.ts';
import type { RestError } from '../errors/rest-error.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { ReadNode, ReadPlan } from '../plan/plan.ts';
import { type LiveQuery, liveQuery } from '../query/live-sql.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { parseRequest } from '../request/parse-request.ts';
import { fillParams } from '../run/fill-params.ts';
import type { Identifier } from '../schema-cache/schema-cache.ts';
import { filled } from './fill-statement.ts';
import type { LiveRead } from './live-port.ts';
import { beyondLimits, limitedContext } from './owner-limits.ts';
import { asUnknown, guardedRelations, guardStatement } from './relation-guard.ts';
import { requestScope } from './request-scope.ts';
import { sentSettings } from './sent-settings.ts';
import type { ShapeStatement } from './shape-cache.ts';
import type { RestState } from './state.ts';
import { tenantState } from './tenant-state.ts';

/**
 * Headers that differ from one client, or one connection, to the next and say nothing of what is asked: policies do not see them on live
 * streams, so that listeners who agree in everything else share one. `Sec-Fetch-Site` stays: a cookie may count for nothing by it.
 */
const UNSEEN =
  /^(?:accept-encoding|accept-language|cache-control|connection|dnt|forwarded|keep-alive|last-event-id|pragma|priority|referer|sec-(?!fetch-site$).*|traceparent|tracestate|user-agent|via|x-forwarded-.*|x-real-ip|x-request-id)$/;

export function makeLiveRead(
  http: HttpRequest,
  state: RestState,
  who: Who,
  request: ApiRequest,
  plan: ReadPlan,
): Result<LiveRead, RestError> {
  const { cache, config } = state;
  const relations = relationsOf(plan.tree);
  const [root] = relations;
  const table = root === undefined ? undefined : cache?.table(root.schema, root.name);
  if (cache === undefined || table === undefined) return err({ kind: 'schema-cache-missing' });
  return ok({
    http: { ...http, headers: seenHeaders(http.headers) },
    state,
    who,
    request,
    plan,
    relations,
    guarded: config.dbRelationGuard === undefined ? [] : guardedRelations(plan, cache),
    query: liveQuery(plan.tree, table, config.liveMaxRows + 1),
  });
}

/** The same read once more, as the state in force has it; an error where it is not possible any more. */
export async function readAgain({ http }: LiveRead, state: RestState): Promise<Result<LiveRead, RestError>> {
  const who = await authenticate(http.headers, state.auth, state.auth.cookieName !== undefined);
  if (!who.ok) return who;
  const tenant = tenantState(state, who.value);
  if (!tenant.ok) return tenant;
  const { cache, config, cursorKey } = tenant.value;
  if (cache === undefined) return err({ kind: 'schema-cache-missing' });
  const request = parseRequest(http, config, cache.timezones, cursorKey);
  if (!request.ok) return request;
  const plan = makePlan(request.value, limitedContext(request.value, who.value.role, config, cache).context);
  if (!plan.ok) return plan;
  if (plan.value.kind !== 'read' || plan.value.media.format.kind !== 'events') return err({ kind: 'live-impossible' });
  const beyond = beyondLimits({ state: tenant.value }, plan.value, who.value.role);
  if (beyond !== undefined) return err(beyond);
  return makeLiveRead(http, tenant.value, who.value, request.value, plan.value);
}

/** Listeners whose reads have the same name get the same rows, always. */
export function nameOfRead({ http, who, request }: LiveRead): string {
  const { headers, cookies } = sentSettings(http);
  const parts = [
    request.schema,
    http.path,
    http.query,
    who.role,
    who.claimsJson,
    String(who.hasToken),
    String(who.isOfPortal === true),
    headers,
    cookies,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

/**
 * Stands for what is asked by whom, in every copy of the program: by whichever address a copy is reached. Of a read whose rows nothing but grants
 * decide on, that is all there is to it.
 */
export function tagOfRead({ http, who, request }: LiveRead): string {
  const parts = [request.schema, http.path, http.query, who.role, who.claimsJson];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12);
}

/** What goes before the rows in their batch. */
export function beforeLiveRows({ http, state, who, request, guarded }: LiveRead): readonly Statement[] {
  const scope = requestScope(
    { http, sent: sentSettings(http), request, who, readOnly: true, routineSettings: [] },
    state,
  );
  const all = [
    scopeStatement(scope, state.config.dbPreparedStatements),
    state.preRequest,
    guardStatement(state, guarded),
  ];
  return all.filter((statement) => statement !== undefined);
}

export function wholeStatement({ query, request, who, state }: LiveRead): Statement {
  return filled(named(query.whole, state), request, who.role, state);
}

/** Undefined: this read is only ever asked as a whole. `keys`: JSON arrays of texts. */
export function byKeyStatement(
  { query, request, who, state }: LiveRead,
  keys: readonly string[],
): Statement | undefined {
  if (query.byKey === undefined) return undefined;
  const statement = filled(named(query.byKey, state), request, who.role, state);
  return { ...statement, params: fillParams(query.byKey.params, request, undefined, `[${keys.join()}]`) };
}

/** The same name for the same text, in whichever stream: statements are prepared once for all of them. */
function named(statement: LiveQuery['whole'], { config }: RestState): ShapeStatement {
  const name = `live_${createHash('sha1').update(statement.text).digest('base64url')}`;
  return { ...statement, name: config.dbPreparedStatements ? name : undefined, describe: false };
}

/** The body that an error has, for a stream that is told of it when it has long begun. */
export function errorBody(error: RestError, { who, state, guarded }: LiveRead): string {
  const reply = errorReply(asUnknown(error, guarded), {
    isAuthenticated: !who.isAnonymous,
    isHead: false,
    retryAfterSeconds: 0,
    codes: state.config.errorCodes,
  });
  return reply.body === undefined ? '{}' : reply.body.toString();
}

function seenHeaders(headers: HttpHeaders): HttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !UNSEEN.test(name)));
}

function relationsOf(root: ReadNode): readonly Identifier[] {
  const found = new Map<string, Identifier>();
  const add = ({ schema, name }: Identifier): void => {
    found.set(JSON.stringify([schema, name]), { schema, name });
  };
  const walk = ({ from, embeds }: ReadNode): void => {
    if (from.kind === 'relation') add(from.relation);
    for (const { node, relationship } of embeds) {
      if (relationship.kind === 'many-to-many') add(relationship.junction);
      walk(node);
    }
  };
  walk(root);
  return [...found.values()];
}
