// Request bodies as text, whatever their type, for services that answer failures in documents of their own. A body over the limit
// becomes an `OversizedBody` with its beginning, and the rest is not read: the service refuses it in the version that it speaks.

import type { FastifyInstance } from 'fastify';

export class OversizedBody {
  /** In bytes. */
  readonly limit: number;
  /** Its beginning: what is asked for, and in which version. */
  readonly head: string;

  constructor(limit: number, head: string) {
    this.limit = limit;
    this.head = head;
  }
}

const HEAD_BYTES = 4096;

/** Of all routes in the scope. */
export function readTextBodies(scope: FastifyInstance, limit: number): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = (): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
    };
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= limit) return;
      stop();
      payload.pause();
      done(null, new OversizedBody(limit, Buffer.concat(chunks).toString('utf8', 0, HEAD_BYTES)));
    };
    const onEnd = (): void => {
      stop();
      done(null, Buffer.concat(chunks).toString());
    };
    const onError = (error: Error): void => {
      stop();
      done(error);
    };
    payload.on('data', onData).on('end', onEnd).on('error', onError);
  });
  // Nobody reads the rest: a connection that is kept would have to take it all.
  scope.addHook('onSend', async ({ body }, reply, sent) => {
    if (body instanceof OversizedBody) reply.header('Connection', 'close');
    return sent;
  });
}

/** What a service says of such a body. */
export function oversizedText({ limit }: OversizedBody): string {
  return `The request has more than ${limit} bytes, the most that is read here: send it in several parts.`;
}
