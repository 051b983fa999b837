// GET /api/v2/: where the collections are. Clients find their way from here.

import type { FastifyInstance } from 'fastify';
import { COLLECTIONS } from './collections.ts';

/** Name → absolute address, sorted by name, without a slash at the end. */
export function collectionAddresses(base: string): Record<string, string> {
  return Object.fromEntries(COLLECTIONS.toSorted().map((name) => [name, `${base}/api/v2/${name}`]));
}

export function registerRoot(app: FastifyInstance, publicUrl: (requestHost: string) => string): void {
  app.get('/api/v2', (request) => collectionAddresses(publicUrl(request.host)));
}
