// The request's body, read whole but never beyond a limit.

import type { IncomingMessage } from 'node:http';

export type Body =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  /** What came beyond its announcement may not be held. */
  | { readonly kind: 'no-room' }
  | { readonly kind: 'aborted' };

const NOTHING = Buffer.alloc(0);

/** `mayHold`: asked about each chunk of a body that has not announced its length. */
export function readBody(
  request: IncomingMessage,
  limit: number,
  mayHold: (bytes: number) => boolean = () => true,
): Promise<Body> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) return Promise.resolve({ kind: 'too-large' });
  return new Promise((resolve) => {
    const whole = gather(announced);
    let size = 0;
    const done = (body: Body): void => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      resolve(body);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) done({ kind: 'too-large' });
      else if (size > announced && !mayHold(chunk.length)) done({ kind: 'no-room' });
      else whole.add(chunk);
    };
    const onEnd = (): void => done({ kind: 'read', bytes: whole.bytes() });
    const onGone = (): void => done({ kind: 'aborted' });
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

type Gathering = { readonly add: (chunk: Buffer) => void; readonly bytes: () => Buffer };

/**
 * Chunks as one. They go to their place as they come: held on to, a body sent byte by byte would take a hundred times its
 * size. Where the length is announced the place has it from the start, so that a large body is held once; the system gives
 * it memory only as it fills.
 */
function gather(announced: number): Gathering {
  let place: Buffer | undefined;
  let filled = 0;
  return {
    add: (chunk) => {
      const end = filled + chunk.length;
      if (place === undefined) {
        // All there is, most of the time.
        place = chunk;
      } else {
        if (end > place.length) place = larger(place, filled, Math.max(announced, end * 2));
        chunk.copy(place, filled);
      }
      filled = end;
    },
    bytes: () => place?.subarray(0, filled) ?? NOTHING,
  };
}

function larger(place: Buffer, filled: number, size: number): Buffer {
  const made = Buffer.allocUnsafeSlow(size);
  place.copy(made, 0, 0, filled);
  return made;
}
