// Requests of the API take turns. Each asks the database several times: if all of many were under way, each of these times would wait behind one of everybody, and
// whoever asks five times would wait five times as long. So as many are under way as keep the database busy, and the others wait once, in the order they came.
//
// A turn begins when the body is there and ends when there is an answer: neither a client that sends slowly nor one that reads slowly keeps the others waiting.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { onlyReads } from '../http/service-mode.ts';
import { makeTurns } from '../http/turns.ts';
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
  { answerError }: Pick<PortalContext, 'answerError'>,
  { atOnce, patienceMs, longestMs = 1000 }: TurnLimits,
): void {
  const turns = makeTurns({ atOnce, longestMs });
  const ends = new WeakMap<FastifyRequest, () => void>();
  app.addHook('preValidation', (request, reply, done) => {
    if (!takesTurns(request)) {
      done();
      return;
    }
    const patience = setTimeout(() => {
      end();
      answerError(request, reply, { kind: 'database', error: { kind: 'pool-timeout', afterMs: patienceMs } });
    }, patienceMs).unref();
    const end = turns.take(() => {
      clearTimeout(patience);
      done();
    });
    ends.set(request, end);
    // A client that leaves while it waits is not worked for.
    reply.raw.once('close', () => {
      clearTimeout(patience);
      end();
    });
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
