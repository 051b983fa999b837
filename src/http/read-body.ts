// The request's body, read whole but never beyond a limit.

import type { IncomingMessage } from 'node:http';

export type Body =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'aborted' };

const NOTHING = Buffer.alloc(0);

export function readBody(request: IncomingMessage, limit: number): Promise<Body> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) return Promise.resolve({ kind: 'too-large' });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (body: Body): void => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      resolve(body);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) done({ kind: 'too-large' });
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      const [only, another] = chunks;
      done({
        kind: 'read',
        bytes: only === undefined ? NOTHING : another === undefined ? only : Buffer.concat(chunks, size),
      });
    };
    const onGone = (): void => done({ kind: 'aborted' });
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}
