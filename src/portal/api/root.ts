// GET /api/v2/: where the collections are. Clients find their way from here.

import type { FastifyInstance } from 'fastify';
import { described } from '../description/described-route.ts';
import type { Described } from '../description/operation.ts';
import { record } from '../description/schema.ts';
import type { PortalContext } from '../portal-context.ts';
import { COLLECTIONS } from './collections.ts';

/** Name → absolute address, sorted by name, without a slash at the end. */
function collectionAddresses(base: string): Record<string, string> {
  return Object.fromEntries(COLLECTIONS.toSorted().map((name) => [name, `${base}/api/v2/${name}`]));
}

const DESCRIBED: Described = {
  id: 'root',
  tag: 'root',
  summary: { en: 'List', de: 'Liste' },
  answers: {
    200: record(Object.fromEntries(COLLECTIONS.map((name) => [name, { type: 'string', format: 'uri' }]))),
  },
};

/** For everybody; but who sends credentials is told when they are wrong. */
export function registerRoot(app: FastifyInstance, { identify, answerError, baseUrl }: PortalContext): void {
  app.get('/api/v2', described(DESCRIBED), async (request, reply) => {
    const who = await identify(request);
    if (!who.ok) return answerError(request, reply, who.error);
    return collectionAddresses(baseUrl(request));
  });
}
