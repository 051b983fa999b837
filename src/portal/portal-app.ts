// The portal as one Fastify application: its API, and the pages people see.

import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyInstance } from 'fastify';
import { registerRoot } from './api/root.ts';

export type PortalOptions = {
  /** As the settings have it; undefined: whatever address the request came to. */
  readonly publicUrl: string | undefined;
  /** Folder of the built pages. */
  readonly webRoot: string;
  readonly version: string;
};

export async function makePortalApp(options: PortalOptions): Promise<FastifyInstance> {
  const app = Fastify();
  app.addHook('onSend', async (_request, reply) => {
    reply.header('Server', `survest/${options.version}`);
    reply.header('X-Content-Type-Options', 'nosniff');
  });
  registerRoot(app, (host) => options.publicUrl ?? `http://${host}`);
  app.get('/health', async () => ({ status: 'ok' }));
  await app.register(fastifyStatic, { root: options.webRoot, cacheControl: true, maxAge: '1h' });
  app.setNotFoundHandler(async (_request, reply) => reply.code(404).send({ detail: 'Not found.' }));
  await app.ready();
  return app;
}
