// Node's HTTP in, the service's answer out. The thin edge: read the body, watch whether the client is still there, write.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { whenClientGone } from '../../http/client-gone.ts';
import type { HttpReply, HttpRequest } from '../../http/http-message.ts';
import type { MemoryBudget } from '../../http/memory-budget.ts';
import { readBody } from '../../http/read-body.ts';
import { requestHeaders } from '../../http/request-headers.ts';
import { CLOSED_RETRY_SECONDS } from '../../http/service-mode.ts';
import { spoolBody } from '../../http/spooled-body.ts';
import { writeReply } from '../../http/write-reply.ts';
import type { RestConfig } from '../config/config.ts';
import { errorReply } from '../errors/error-reply.ts';
import type { RestError } from '../errors/rest-error.ts';
import { isStreamed } from './is-streamed.ts';
import type { RestFront } from './rest-front.ts';

const NOTHING = new Uint8Array();
const DRAIN_MS = 3000;
/** When memory may be free again. */
const RETRY_SECONDS = 5;

export function restListener(
  service: RestFront,
  budget?: MemoryBudget,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    // What is thrown here was thrown by Node: a reply it will not write. It is that client's trouble, nobody else's.
    serve(service, budget, request, response).catch((cause: unknown) => {
      service.failed(cause);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'Content-Length': '0' }).end();
    });
  };
}

async function serve(
  service: RestFront,
  budget: MemoryBudget | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { config, path } = service.addressee(pathOf(request), request.headers.host);
  if (isStreamed(request, path, config)) return serveSpooled(service, request, response, config);
  const limit = config.serverMaxBodySize;
  const announced = hasBody(request.method ?? 'GET') ? Number(request.headers['content-length'] ?? 0) : 0;
  const room = makeRoom(budget);
  // Of what is announced as too large nothing is read.
  if (announced <= limit && !(await room.take(announced, () => !response.destroyed))) {
    refuseBody(request, response, refusal(service, { kind: 'memory-full' }));
    return;
  }
  try {
    await readAndAnswer(service, budget, room, request, response, limit);
  } finally {
    room.giveBack();
  }
}

/** The body lies on disk until it is whole; then it is inserted. */
async function serveSpooled(
  service: RestFront,
  request: IncomingMessage,
  response: ServerResponse,
  { serverMaxStreamedBodySize: limit }: RestConfig,
): Promise<void> {
  const spooled = await spoolBody(request, limit);
  if (spooled.kind === 'aborted') return;
  if (spooled.kind !== 'read') {
    const error =
      spooled.kind === 'too-large'
        ? ({ kind: 'payload-too-large', limit, streamed: true } as const)
        : ({ kind: 'no-disk-space' } as const);
    const reply = refusal(service, error);
    if (spooled.kind === 'no-room') service.refused(pathOf(request), reply.status, spooled.cause);
    refuseBody(request, response, reply);
    return;
  }
  try {
    const signal = whenClientGone(response);
    const reply = await service.answer(
      { ...toHttpRequest(request, NOTHING), spooled: spooled.body },
      { signal, remoteAddress: request.socket.remoteAddress, httpVersion: request.httpVersion },
    );
    if (!response.destroyed) writeReply(response, reply);
  } finally {
    await spooled.body.close();
  }
}

type Room = {
  take(bytes: number, isWanted: () => boolean): Promise<boolean> | true;
  grow(bytes: number): boolean;
  giveBack(): void;
};

/** What one request has taken of the budget. */
function makeRoom(budget: MemoryBudget | undefined): Room {
  let held = 0;
  return {
    take: (bytes, isWanted) => {
      if (budget === undefined || bytes === 0) return true;
      return budget.take(bytes, isWanted).then((taken) => {
        if (taken) held += bytes;
        return taken;
      });
    },
    grow: (bytes) => {
      if (budget === undefined) return true;
      const grown = budget.grow(bytes);
      if (grown) held += bytes;
      return grown;
    },
    giveBack: () => budget?.give(held),
  };
}

async function readAndAnswer(
  service: RestFront,
  budget: MemoryBudget | undefined,
  room: Room,
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<void> {
  let bytes: Uint8Array = NOTHING;
  if (hasBody(request.method ?? 'GET')) {
    const body = await readBody(request, limit, room.grow);
    if (body.kind === 'aborted') return;
    if (body.kind !== 'read') {
      const error =
        body.kind === 'too-large' ? ({ kind: 'payload-too-large', limit } as const) : { kind: 'memory-full' as const };
      refuseBody(request, response, refusal(service, error));
      return;
    }
    bytes = body.bytes;
  }
  const signal = whenClientGone(response);
  const http = toHttpRequest(request, bytes);
  const answered = await service.answer(http, {
    signal,
    remoteAddress: request.socket.remoteAddress,
    httpVersion: request.httpVersion,
    memory: budget,
  });
  const reply = budget === undefined ? answered : (budget.fit(answered) ?? refusal(service, { kind: 'memory-full' }));
  if (response.destroyed) reply.stream?.destroy();
  else writeReply(response, reply);
}

/** What is answered without the service being asked. */
export function refusal(service: RestFront, error: RestError): HttpReply {
  const { errorCodes: codes } = service.addressee('/', undefined).config;
  const retryAfterSeconds = error.kind === 'service-closed' ? CLOSED_RETRY_SECONDS : RETRY_SECONDS;
  return errorReply(error, { isAuthenticated: false, isHead: false, retryAfterSeconds, codes });
}

/**
 * Answers while the client still sends. A connection closed with bytes unread takes the answer with it, so some of them are
 * read and dropped first; who sends on for longer than that does not want to know.
 */
export function refuseBody(request: IncomingMessage, response: ServerResponse, reply: HttpReply): void {
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

function pathOf({ url = '/' }: IncomingMessage): string {
  return originForm(url).split('?', 1)[0] ?? '/';
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
