// The access log of a Node HTTP handler: every request is told once its answer is out, whoever wrote it, and with the account that
// asked. One that failed for reasons of ours leaves its cause, too. Secrets in addresses are not told.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Observe } from '../kernel/observation.ts';
import { clientAddress, type TrustedProxies } from './client-address.ts';
import { redactQuery } from './redact-query.ts';
import { notesOf } from './request-notes.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** What nginx calls a request whose client left before it was answered. */
export const CLIENT_LEFT = 499;

export function withAccessLog(
  handler: Handler,
  {
    service,
    observe,
    trustedProxies,
    now = Date.now,
  }: { service: string; observe: Observe; trustedProxies: TrustedProxies; now?: () => number },
): Handler {
  return (request, response) => {
    const atMs = now();
    const began = performance.now();
    // Whoever answers may rewrite it.
    const target = redactQuery(request.url ?? '/');
    const { socket } = request;
    const { bytesWritten: before } = socket;
    const remoteAddress = clientAddress(socket.remoteAddress, request.headers, trustedProxies);
    response.once('close', () => {
      const { account, role, cause } = notesOf(request);
      const status = response.writableFinished ? response.statusCode : CLIENT_LEFT;
      const { referer } = request.headers;
      observe({
        kind: 'request',
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
      if (status >= 500)
        observe({ kind: 'request-failed', service, status, target, cause: cause ?? 'nobody said why' });
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
