// Node's HTTP in, the service's answer out. The thin edge: read the body, watch whether the client is still there, write.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { whenClientGone } from '../../http/client-gone.ts';
import type { HttpReply, HttpRequest } from '../../http/http-message.ts';
import { readBody } from '../../http/read-body.ts';
import { requestHeaders } from '../../http/request-headers.ts';
import { writeReply } from '../../http/write-reply.ts';
import { errorReply } from '../errors/error-reply.ts';
import type { RestService } from '../lifecycle/rest-service.ts';

const NOTHING = new Uint8Array();
const DRAIN_MS = 3000;

export function restListener(service: RestService): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    // What is thrown here was thrown by Node: a reply it will not write. It is that client's trouble, nobody else's.
    serve(service, request, response).catch((cause: unknown) => {
      service.failed(cause);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'Content-Length': '0' }).end();
    });
  };
}

async function serve(service: RestService, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const method = request.method ?? 'GET';
  let bytes: Uint8Array = NOTHING;
  if (hasBody(method)) {
    const limit = service.state().config.serverMaxBodySize;
    const body = await readBody(request, limit);
    if (body.kind === 'aborted') return;
    if (body.kind === 'too-large') {
      const reply = errorReply(
        { kind: 'payload-too-large', limit },
        { isAuthenticated: false, isHead: false, retryAfterSeconds: 0, codes: service.state().config.errorCodes },
      );
      refuseBody(request, response, reply);
      return;
    }
    bytes = body.bytes;
  }
  const signal = whenClientGone(response);
  const http = toHttpRequest(request, bytes);
  const reply = await service.answer(http, {
    signal,
    remoteAddress: request.socket.remoteAddress,
    httpVersion: request.httpVersion,
  });
  if (response.destroyed) reply.stream?.destroy();
  else writeReply(response, reply);
}

/**
 * Answers while the client still sends. A connection closed with bytes unread takes the answer with it, so some of them are
 * read and dropped first; who sends on for longer than that does not want to know.
 */
function refuseBody(request: IncomingMessage, response: ServerResponse, reply: HttpReply): void {
  const headers: string[] = [];
  for (const [name, value] of [...reply.headers, ['Connection', 'close'] as const]) headers.push(name, value);
  response.writeHead(reply.status, headers);
  response.write(reply.body ?? '');
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, DRAIN_MS);
  request.once('end', end).once('close', end).resume();
}

function hasBody(method: string): boolean {
  return method === 'POST' || method === 'PATCH' || method === 'PUT' || method === 'QUERY';
}

/** Whoever speaks to a proxy sends the whole address, and a server has to read that, too. */
function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
}

function toHttpRequest(request: IncomingMessage, body: Uint8Array): HttpRequest {
  const url = originForm(request.url ?? '/');
  const mark = url.indexOf('?');
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers: requestHeaders(request),
    body,
  };
}
