// A form that is refused before all of it has arrived. Were the connection closed with bytes still on their way, many a client
// would find it reset and never read the answer; so the rest is taken and thrown away, as long as it is not too much.

import type { FastifyRequest } from 'fastify';

/** More than this nobody is let send for nothing. */
const MAX_BYTES = 16 * 1024 * 1024;

export function leaveUnread({ raw }: FastifyRequest, most: number = MAX_BYTES): void {
  if (raw.readableEnded || raw.destroyed) return;
  let taken = 0;
  raw.on('data', (chunk: Uint8Array) => {
    taken += chunk.length;
    if (taken > most) raw.socket.destroy();
  });
  raw.on('error', () => {});
  raw.resume();
}
