// GET and DELETE /api/v2/demo: how much of the portal is demo, and away with it. Removing is deleting the items as the caller:
// whether that is permitted, the database says.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PortalContext } from '../../portal/portal-context.ts';
import { demoItems, keepDemoRemoved } from './demo-state.ts';

export function registerDemo(app: FastifyInstance, context: PortalContext, dataDir: string): void {
  app.get('/api/v2/demo', async (request, reply) => {
    const who = await context.identify(request);
    if (!who.ok) return context.answerError(request, reply, who.error);
    const items = await demoItems(dataDir);
    return reply.header('Cache-Control', 'no-store').send({ items: items.length });
  });

  app.delete('/api/v2/demo', async (request, reply) => {
    const who = await context.identify(request);
    if (!who.ok) return context.answerError(request, reply, who.error);
    const caller = who.value;
    if (caller.kind === 'visitor') return context.answerError(request, reply, { kind: 'not-authenticated' });
    if (caller.role !== 'survest_admin') return context.answerError(request, reply, { kind: 'forbidden' }, caller);
    const items = await demoItems(dataDir);
    const proof = proofOf(request);
    if (items.length > 0) {
      // Some may have been deleted one by one before.
      const wanted = items.map((id) => `filter{pk.in}=${id}`).join('&');
      const found = await app.inject({ url: `/api/v2/resources/?${wanted}&page_size=${items.length}`, headers: proof });
      if (found.statusCode !== 200) return reply.code(found.statusCode).type('application/json').send(found.body);
      const { resources } = found.json<{ readonly resources: readonly { readonly pk: string }[] }>();
      if (resources.length > 0) {
        const deleted = await app.inject({
          method: 'DELETE',
          url: '/api/v2/resources/',
          headers: { ...proof, 'content-type': 'application/json' },
          payload: JSON.stringify(resources.map(({ pk }) => ({ id: Number(pk) }))),
        });
        if (deleted.statusCode !== 204)
          return reply.code(deleted.statusCode).type('application/json').send(deleted.body);
      }
    }
    await keepDemoRemoved(dataDir);
    return reply.code(204).send();
  });
}

/** What the caller proved itself with. */
function proofOf({ headers }: FastifyRequest): Record<string, string> {
  const proof: Record<string, string> = {};
  for (const name of ['cookie', 'authorization', 'x-csrftoken'] as const) {
    const value = headers[name];
    if (typeof value === 'string') proof[name] = value;
  }
  return proof;
}
