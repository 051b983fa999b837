// The access log of a Node HTTP handler: every request is told once its answer is out, whoever wrote it, and with the account that
// asked. One that failed for reasons of ours leaves its cause, too. Secrets in addresses are not told.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Observe } from '../kernel/observation.ts';
import { clientAddress, type TrustedProxies } from './client-address.ts';
import { redactQuery } from './redact-query.ts';
import { REQUEST_ID, requestId } from './request-id.ts';
import { notesOf } from './request-notes.ts';
import type { Tracer } from './tracing/tracer.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** What nginx calls a request whose client left before it was answered. */
export const CLIENT_LEFT = 499;

export function withAccessLog(
  handler: Handler,
  {
    service,
    observe,
    trustedProxies,
    tracing,
    now = Date.now,
  }: {
    service: string;
    observe: Observe;
    trustedProxies: TrustedProxies;
    /** Undefined: nothing is traced. */
    tracing?: { readonly tracer: Tracer; readonly ratio: number } | undefined;
    now?: () => number;
  },
): Handler {
  return (request, response) => {
    const atMs = now();
    const began = performance.now();
    // Whoever answers may rewrite it.
    const target = redactQuery(request.url ?? '/');
    const { socket } = request;
    const { bytesWritten: before } = socket;
    const id = requestId(request.headers);
    response.setHeader(REQUEST_ID, id);
    const trace = tracing?.tracer.begin(request.headers, tracing.ratio);
    const remoteAddress = clientAddress(socket.remoteAddress, request.headers, trustedProxies);
    response.once('close', () => {
      const { account, role, cause } = notesOf(request);
      const status = response.writableFinished ? response.statusCode : CLIENT_LEFT;
      const { referer } = request.headers;
      observe({
        kind: 'request',
        id,
        ...(trace === undefined ? {} : { traceId: trace.traceId }),
        service,
        atMs,
        tookMs: performance.now() - began,
        remoteAddress,
        role,
        ...(account === undefined ? {} : { account }),
        method: request.method ?? 'GET',
        target,
        httpVersion: request.httpVersion,
        status,
        bytes: bodyBytes(response, socket.bytesWritten - before),
        referer: referer === undefined ? undefined : redactQuery(referer),
        userAgent: request.headers['user-agent'],
      });
      const method = request.method ?? 'GET';
      trace?.end(method, status, [
        ['http.request.method', method],
        ['url.path', target.split('?', 1)[0] ?? '/'],
        ['survest.request_id', id],
      ]);
      if (status >= 500)
        observe({ kind: 'request-failed', id, service, status, target, cause: cause ?? 'nobody said why' });
    });
    handler(request, response);
  };
}

/**
 * What went out on the connection since the request came, without the head. Headers that are given with the status are not to be
 * asked for afterwards, and a stream's length is not known before.
 */
function bodyBytes(response: ServerResponse, sent: number): number | undefined {
  const { _header: head } = response as { readonly _header?: unknown };
  return typeof head === 'string' ? Math.max(0, sent - Buffer.byteLength(head, 'latin1')) : undefined;
}
