// Requests that Node does not hand on as requests: CONNECT, and every method its parser has not heard of. By their first
// line they are told from noise, and get a reply as other requests do; the connection ends with it.

import { type IncomingMessage, METHODS, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpReply } from '../http/http-message.ts';
import { httpDate } from '../http/plain/http-date.ts';
import { plainReply } from '../http/plain/plain-reply.ts';

export type OddRequest = { readonly method: string; readonly path: string; readonly query: string };

export type OddMethods = {
  readonly answer: (request: OddRequest) => Promise<HttpReply>;
  readonly onFailure: (cause: unknown) => void;
};

/** The method is any token, as it may be by the rules of HTTP; no method anyone uses is longer. */
const FIRST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) (\/[^\s#]*) HTTP\/1\.[01]\r\n/;

/** The request that a refused packet begins with; undefined when its method was not the reason. */
export function oddRequest(error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer }): OddRequest | undefined {
  if (error.code !== 'HPE_INVALID_METHOD' || error.rawPacket === undefined) return undefined;
  const [, method, target] = FIRST_LINE.exec(error.rawPacket.toString('latin1')) ?? [];
  // A method that Node knows was read; what it refused then stands behind that request, as broken as it is.
  return method === undefined || target === undefined || METHODS.includes(method)
    ? undefined
    : requestFor(method, target);
}

export function answerConnect(server: Server, odd: OddMethods): void {
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    answerOdd(socket, requestFor('CONNECT', request.url ?? '/'), odd);
  });
}

export function answerOdd(socket: Duplex, request: OddRequest, { answer, onFailure }: OddMethods): void {
  socket.on('error', () => socket.destroy());
  answer(request)
    .then((reply) => {
      const date = httpDate(Date.now());
      for (const bytes of plainReply(reply, { isHead: false, isLast: true, date })) socket.write(bytes);
      socket.end();
    })
    .catch((cause: unknown) => {
      socket.destroy();
      onFailure(cause);
    });
}

function requestFor(method: string, target: string): OddRequest {
  const mark = target.indexOf('?');
  return mark < 0
    ? { method, path: target, query: '' }
    : { method, path: target.slice(0, mark), query: target.slice(mark + 1) };
}
