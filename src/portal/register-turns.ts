// Requests of the API take turns. Each asks the database several times: if all of many were under way, each of these times would wait behind one of everybody, and
// whoever asks five times would wait five times as long. So as many are under way as keep the database busy, and the others wait once, in turns by address.
//
// A turn begins when the body is there and ends when there is an answer: neither a client that sends slowly nor one that reads slowly keeps the others waiting.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { whenClientGone } from '../http/client-gone.ts';
import { onlyReads } from '../http/service-mode.ts';
import { makeSemaphore } from '../kernel/semaphore.ts';
import type { PortalContext } from './portal-context.ts';

export type TurnLimits = {
  /** Most requests that are under way. */
  readonly atOnce: number;
  /** Longest that a request waits before it is told to come again later. */
  readonly patienceMs: number;
  /** What takes longer is no longer in the way of the others: they go on beside it. */
  readonly longestMs?: number;
};

export function registerTurns(
  app: FastifyInstance,
  { answerError, addressOf }: Pick<PortalContext, 'answerError' | 'addressOf'>,
  { atOnce, patienceMs, longestMs = 1000 }: TurnLimits,
): void {
  const turns = makeSemaphore({ room: atOnce, waitMs: patienceMs, longestMs });
  const ends = new WeakMap<FastifyRequest, () => void>();
  app.addHook('preValidation', async (request, reply) => {
    if (!takesTurns(request)) return;
    // A client that leaves while it waits is not worked for.
    const entered = await turns.enter({ caller: addressOf(request), signal: whenClientGone(reply.raw) });
    if (entered.ok) {
      ends.set(request, entered.value);
      reply.raw.once('close', entered.value);
      return;
    }
    if (entered.error === 'cancelled') reply.hijack();
    else answerError(request, reply, { kind: 'database', error: { kind: 'pool-timeout', afterMs: patienceMs } });
    return reply;
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    ends.get(request)?.();
    done(null, payload);
  });
}

/** Files come while they are worked on. */
function takesTurns({ method, url, body }: FastifyRequest): boolean {
  return url.startsWith('/api/v2/') && (onlyReads(method) || body !== undefined);
}
