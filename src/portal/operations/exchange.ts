// One request to the API as its handlers see it, and the answer they give.

import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, roleOf } from '../../auth/caller.ts';
import type { RequestInfo } from '../../auth/caller-db.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import type { Result } from '../../kernel/result.ts';
import type { Statement } from '../../pg/driver.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type Sql, toStatement } from '../fields/bound-value.ts';
import type { PortalContext } from '../portal-context.ts';
import { withPresets } from '../query/presets.ts';
import { queryOf } from '../query/query-params.ts';

export type ApiContext = PortalContext & ApiOptions;

export type ApiOptions = {
  readonly blobs: BlobStore;
  /** Several records in one PATCH or DELETE of a collection. */
  readonly enableBulkUpdate: boolean;
  /** All records that pass a filter in one PATCH. */
  readonly enablePatchAll: boolean;
  readonly maxDocumentBytes: number;
  /** Of the program, for the document that describes the API. */
  readonly version: string;
};

export type Exchange = {
  readonly request: FastifyRequest;
  readonly caller: Caller;
  readonly isVisitor: boolean;
  readonly info: RequestInfo;
  /** The portal's address. */
  readonly base: string;
  /** Path and query as the client sent them. */
  readonly target: string;
  readonly query: string;
  /** Ready for the database, as this caller. */
  statement(fragment: Sql): Statement;
};

export type Answer = {
  readonly status: number;
  /** JSON, unless the headers say otherwise; undefined: none. */
  readonly body?: Uint8Array | string | Readable;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Handle = (exchange: Exchange) => Promise<Result<Answer, PortalError>>;

/** Answers hold what this caller may see now: nobody keeps them for another one, or for later. */
const PRIVATE: Readonly<Record<string, string>> = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Accept, Authorization, Cookie',
};

/** A handler as a route: who asks, then the handler, then its answer. */
export function asRoute(
  context: PortalContext,
  handle: Handle,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const { identify, answerError } = context;
  return async (request, reply) => {
    const who = await identify(request);
    if (!who.ok) return answerError(request, reply, who.error);
    const caller = who.value;
    const answered = await handle(exchangeOf(context, request, caller));
    if (!answered.ok) return answerError(request, reply, answered.error, caller);
    const { status, body, headers = {} } = answered.value;
    reply.code(status).headers(PRIVATE);
    if (body === undefined) return reply.headers(headers).send();
    return reply.type('application/json').headers(headers).send(body);
  };
}

/** The same for what only accounts can do; the database would refuse a visitor anyway, only later. */
export function asAccountRoute(context: PortalContext, handle: Handle): ReturnType<typeof asRoute> {
  return asRoute(context, async (exchange) =>
    exchange.isVisitor ? { ok: false, error: { kind: 'not-authenticated' } } : handle(exchange),
  );
}

export function exchangeOf({ baseUrl, presets }: PortalContext, request: FastifyRequest, caller: Caller): Exchange {
  const { url, method, originalUrl } = request;
  const base = baseUrl(request);
  const mark = url.indexOf('?');
  const role = roleOf(caller);
  return {
    request,
    caller,
    isVisitor: caller.kind === 'visitor',
    info: { method, path: mark < 0 ? url : url.slice(0, mark) },
    base,
    target: originalUrl,
    query: withPresets(queryOf(url), presets),
    statement: (fragment) => toStatement(fragment, { role, base }),
  };
}

export function json(status: number, value: unknown): Answer {
  return { status, body: JSON.stringify(value) };
}
