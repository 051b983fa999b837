// Around the pipeline: preflight before it, error messages, CORS, trace and timing headers after it, and the one place where
// an exception ends. What comes out is always a reply.

import type { StreamGate } from '../../auth/stream-gate.ts';
import { CLIENT_LEFT } from '../../http/access-log.ts';
import { clientAddress } from '../../http/client-address.ts';
import { compressReply } from '../../http/compress.ts';
import { corsHeaders, preflight } from '../../http/cors.ts';
import { withEtag } from '../../http/etag.ts';
import { firstHeader, type HttpReply, type HttpRequest } from '../../http/http-message.ts';
import type { RateLimiter } from '../../http/rate-limiter.ts';
import { REQUEST_ID, requestId } from '../../http/request-id.ts';
import type { Attribute } from '../../http/tracing/span.ts';
import type { RequestTrace, Tracer } from '../../http/tracing/tracer.ts';
import { addVary, BY_CALLER, isCacheable } from '../../http/vary.ts';
import { addressKey } from '../../kernel/address-key.ts';
import type { Observe } from '../../kernel/observation.ts';
import { err, type Result } from '../../kernel/result.ts';
import type { Driver } from '../../pg/driver.ts';
import type { Replicas } from '../../pg/replicas/replicas.ts';
import { mayOnlyRead, type Who } from '../auth/authenticate.ts';
import { type ErrorContext, errorReply } from '../errors/error-reply.ts';
import type { RestError } from '../errors/rest-error.ts';
import { tracedDriver } from '../run/traced-driver.ts';
import type { ClientInfo } from './client-info.ts';
import type { Streaming } from './exchange.ts';
import { handle } from './handle.ts';
import type { LivePort } from './live-port.ts';
import type { OpenStreams } from './open-streams.ts';
import { type RestState, tokenCheckOf } from './state.ts';
import { makeStopwatch, type OnLap, type Stopwatch, stopped } from './stopwatch.ts';

export type AnswerInput = {
  readonly http: HttpRequest;
  readonly client: ClientInfo;
  readonly state: RestState;
  readonly driver: Driver;
  readonly replicas: Replicas | undefined;
  /** Undefined: nothing is traced. */
  readonly tracer: Tracer | undefined;
  readonly observe: Observe;
  readonly retryAfterSeconds: number;
  /** Told when the answer is that the database cannot be used. */
  readonly onUnavailable: () => void;
  readonly limiter: RateLimiter;
  /** For answers that are streamed. */
  readonly gate: StreamGate;
  readonly openStreams?: OpenStreams | undefined;
  readonly live: LivePort;
  readonly now: () => number;
};

export async function answerRequest(input: AnswerInput): Promise<HttpReply> {
  const { http, client, state, observe, now, limiter } = input;
  const address = clientAddress(client.remoteAddress, http.headers, state.config.serverTrustedProxies);
  const atMs = now();
  const began = performance.now();
  const id = requestId(http.headers);
  const trace = input.tracer?.begin(http.headers, state.config.serverTraceRatio);
  const watch = watchFor(state.config.serverTimingEnabled, trace);
  const logsQuery = state.config.logQuery === 'main-query';
  const told: Told = { who: undefined, main: undefined };
  let reply = preflight(http.method, http.headers, state.cors);
  const isPreflight = reply !== undefined;
  const rate = state.config.serverRateLimit;
  const wait = rate?.by === 'address' ? limiter.take(addressKey(address), rate, atMs) : 0;
  if (wait > 0) reply = failed({ kind: 'rate-limited', retryAfterSeconds: wait }, input, undefined, id);
  if (reply === undefined) {
    let handled: Result<HttpReply, RestError>;
    try {
      handled = await handle({
        http,
        state,
        address,
        driver: trace === undefined ? input.driver : tracedDriver(input.driver, trace),
        trace,
        replicas: input.replicas,
        signal: client.signal,
        watch,
        roleWait: rate?.by === 'role' ? (role) => limiter.take(`role ${role}`, rate, atMs) : undefined,
        moreWait:
          rate === undefined
            ? undefined
            : (role, requests) =>
                moreWait(limiter, rate, rate.by === 'role' ? `role ${role}` : addressKey(address), requests, atMs),
        limitWait:
          state.cache?.hasLimits === true ? (key, limit) => limiter.take(`limit ${key}`, limit, atMs) : undefined,
        told,
        // HTTP/1.0 knows no chunks: an answer cut off would look like a whole one.
        streaming: client.httpVersion === '1.0' ? undefined : () => streamingOf(input, id),
        memory: client.memory,
        live: client.httpVersion === '1.0' ? undefined : input.live,
        onMain: logsQuery
          ? (text) => {
              told.main = text;
            }
          : undefined,
      });
    } catch (cause) {
      observe({ kind: 'bug', id, cause });
      handled = err({ kind: 'internal', reference: id });
    }
    reply = withRange(handled.ok ? handled.value : failed(handled.error, input, told.who, id), http);
    if (handled.ok) reply = withTiming(reply, watch.header());
    if (http.method === 'GET' && state.config.serverEtag) reply = withEtag(reply, http.headers);
  }
  let final: HttpReply = { ...reply, headers: withServiceHeaders(reply.headers, id, isPreflight, input) };
  if (state.config.serverCompressionMinSize > 0)
    final = await compressReply(final, http, state.config.serverCompressionMinSize);
  const answered = {
    kind: 'request',
    id,
    service: 'rest',
    atMs,
    tookMs: performance.now() - began,
    remoteAddress: address,
    role: told.who?.role,
    method: http.method,
    target: http.query === '' ? http.path : `${http.path}?${http.query}`,
    httpVersion: client.httpVersion,
    // Nobody is there to see what the answer would have been.
    status: client.signal?.aborted === true ? CLIENT_LEFT : final.status,
    error: final.status >= 400 ? errorCode(reply.headers) : undefined,
    bytes: final.body?.length,
    referer: firstHeader(http.headers, 'referer'),
    userAgent: firstHeader(http.headers, 'user-agent'),
  } as const;
  observe(trace === undefined && http.mount === undefined ? answered : withOrigin(answered, trace, http.mount));
  if (trace !== undefined) endTrace(trace, input, final, told.who?.role, id, address);
  if (final.status === 503) input.onUnavailable();
  if (told.main !== undefined) observe({ kind: 'statement', status: final.status, sql: told.main });
  return final;
}

/** For a body too large to be held; few requests have one. */
function streamingOf({ gate, openStreams, observe, http }: AnswerInput, id: string): Streaming {
  return {
    gate,
    open: openStreams,
    onCut: (why) => observe({ kind: 'stream-cut', id, target: http.path, why }),
    onStart: () => observe({ kind: 'stream-started' }),
    onEnd: (end) => observe({ kind: 'stream-ended', id, target: http.path, ...end }),
  };
}

/** Stages as spans; what the database is asked has spans of its own (`run/traced-driver.ts`). */
function watchFor(hasHeader: boolean, trace: RequestTrace | undefined): Stopwatch {
  if (trace === undefined) return hasHeader ? makeStopwatch(() => performance.now(), true) : stopped;
  const onLap: OnLap = (stage, from, to) => {
    const name = SPAN_NAMES[stage];
    if (name !== undefined) trace.stage(name, from, to);
  };
  return makeStopwatch(() => performance.now(), hasHeader, onLap);
}

const SPAN_NAMES: Readonly<Partial<Record<Parameters<OnLap>[0], string>>> = {
  jwt: 'authenticate',
  parse: 'parse',
  plan: 'plan',
  response: 'write',
};

/** Of a stream when it has ended, in whatever way. */
function endTrace(
  trace: RequestTrace,
  { http, client }: AnswerInput,
  { status, headers, stream }: HttpReply,
  role: string | undefined,
  id: string,
  address: string | undefined,
): void {
  // Addresses of what is there are as many as the schema has; of what is not, as many as clients make up.
  const path = http.mount === undefined ? http.path : http.mount + http.path;
  const route = status < 400 || trace.operation !== undefined ? path : undefined;
  const attributes: Attribute[] = [
    ['http.request.method', http.method],
    ['url.path', path],
    ['network.protocol.version', client.httpVersion],
    ['survest.request_id', id],
  ];
  if (route !== undefined) attributes.push(['http.route', route]);
  if (role !== undefined) attributes.push(['survest.role', role]);
  if (address !== undefined) attributes.push(['client.address', address]);
  const agent = firstHeader(http.headers, 'user-agent');
  if (agent !== undefined) attributes.push(['user_agent.original', agent.slice(0, 256)]);
  const code = status >= 400 ? errorCode(headers) : undefined;
  if (code !== undefined) attributes.push(['error.type', code]);
  const end = (): void => trace.end(route === undefined ? http.method : `${http.method} ${route}`, status, attributes);
  if (stream === undefined) end();
  else stream.once('close', end);
}

/** Each request of a batch counts as one that came alone. */
function moreWait(
  limiter: RateLimiter,
  rate: NonNullable<RestState['config']['serverRateLimit']>,
  key: string,
  requests: number,
  atMs: number,
): number {
  let wait = 0;
  for (let i = 0; i < requests && wait === 0; i++) wait = limiter.take(key, rate, atMs);
  return wait;
}

/** From `Proxy-Status: Survest; error=…`, where every error's code stands whatever form its body has. */
function errorCode(headers: HttpReply['headers']): string | undefined {
  const status = headers.find(([name]) => name === 'Proxy-Status')?.[1];
  const at = status?.lastIndexOf(CODE_BEGINS) ?? -1;
  return at < 0 ? undefined : status?.slice(at + CODE_BEGINS.length);
}

const CODE_BEGINS = 'error=';

function failed(
  error: RestError,
  { http, state, observe, retryAfterSeconds }: AnswerInput,
  who: Who | undefined,
  id: string,
): HttpReply {
  const context: ErrorContext = {
    isAuthenticated: who !== undefined && !who.isAnonymous,
    mayOnlyRead:
      who !== undefined && tokenCheckOf(state, who) !== undefined && http.method !== 'GET' && mayOnlyRead(who),
    isHead: http.method === 'HEAD',
    retryAfterSeconds,
    codes: state.config.errorCodes,
  };
  const reply = errorReply(error, context);
  if (reply.status >= 500 && error.kind === 'sql') {
    // The log has the words also where the client asked for none.
    const { body } = context.isHead ? errorReply(error, { ...context, isHead: false }) : reply;
    observe({ kind: 'database-error', id, status: reply.status, body: String(body ?? '') });
  }
  return reply;
}

/** Every answer about a relation or function tells its range, be it an error or a plan: there are no rows in it. */
function withRange(reply: HttpReply, { path }: HttpRequest): HttpReply {
  if (path === '/' || reply.headers.some(([name]) => name.length === 13 && sameName(name, 'Content-Range')))
    return reply;
  return { ...reply, headers: [...reply.headers, ...NO_RANGE] };
}

const NO_RANGE: HttpReply['headers'] = [
  ['Content-Range', '*/*'],
  ['Range-Unit', 'items'],
];

function withTiming(reply: HttpReply, timing: string | undefined): HttpReply {
  return timing === undefined ? reply : { ...reply, headers: [...reply.headers, ['Server-Timing', timing]] };
}

function sameName(one: string, other: string): boolean {
  return one === other || one.toLowerCase() === other.toLowerCase();
}

/**
 * Those that every reply of the service has. A header the reply has already, because the database named it, stays as it is, but several reasons to vary
 * are all said.
 */
function withServiceHeaders(
  own: HttpReply['headers'],
  id: string,
  isPreflight: boolean,
  { http, state }: AnswerInput,
): HttpReply['headers'] {
  const headers = [...own];
  addHeader(headers, 'Server', state.serverName);
  addHeader(headers, REQUEST_ID, id);
  if (isPreflight) return headers;
  // The role, and so every answer that a cache may keep, comes from these.
  if (isCacheable(http.method)) addHeader(headers, 'Vary', BY_CALLER);
  for (const [name, value] of corsHeaders(http.headers, state.cors)) addHeader(headers, name, value);
  const echoed = state.config.serverTraceHeader;
  if (echoed !== undefined) addHeader(headers, echoed, firstHeader(http.headers, echoed.toLowerCase()) ?? '');
  return headers;
}

function addHeader(headers: (readonly [string, string])[], name: string, value: string): void {
  for (let i = 0; i < headers.length; i++) {
    const present = headers[i];
    if (present === undefined || present[0].length !== name.length || !sameName(present[0], name)) continue;
    // That of a shape names the caller's headers already.
    if (name === 'Vary' && !present[1].endsWith(value)) headers[i] = [name, addVary(present[1], value)];
    return;
  }
  headers.push([name, value]);
}

/** Of a request that is traced, or that came through another path. */
function withOrigin<T extends object>(answered: T, trace: RequestTrace | undefined, mount: string | undefined): T {
  return {
    ...answered,
    ...(trace === undefined ? {} : { traceId: trace.traceId }),
    ...(mount === undefined ? {} : { mount }),
  };
}

type Told = { who: Who | undefined; main: string | undefined };
