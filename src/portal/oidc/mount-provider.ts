// The library's endpoints under /o/. Its requests and replies pass through as Node has them: it reads bodies and writes
// replies itself.

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { trimEndOf } from '../../kernel/trim-end.ts';
import { MOUNT } from './provider.ts';
import type { Providers } from './providers.ts';

export type MountOptions = {
  readonly providers: Providers;
  readonly baseUrl: (request: FastifyRequest) => string;
  /** Set on every reply of the portal. */
  readonly headers: Readonly<Record<string, string>>;
};

export async function mountProvider(
  app: FastifyInstance,
  { providers, baseUrl, headers }: MountOptions,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    scope.route({
      method: ['GET', 'HEAD', 'POST', 'OPTIONS'],
      url: `${MOUNT}/*`,
      exposeHeadRoute: false,
      async handler(request, reply) {
        const takes = VERBS.get(pathOf(request.raw));
        // The library would say that there is no such thing.
        if (takes !== undefined && !takes.includes(request.method) && request.method !== 'OPTIONS') {
          const detail = `Method "${request.method}" not allowed.`;
          await reply.code(405).header('Allow', takes.join(', ')).send({ detail });
          return;
        }
        reply.hijack();
        for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value);
        const base = baseUrl(request);
        await providers(base).callback()(mounted(request.raw, base), reply.raw);
      },
    });
  });
}

const VERBS: ReadonlyMap<string, readonly string[]> = new Map([
  ['/authorize', ['GET', 'HEAD']],
  ['/token', ['POST']],
  ['/introspect', ['POST']],
  ['/revoke_token', ['POST']],
  ['/jwks', ['GET', 'HEAD']],
]);

/** Below the mount, without a slash at the end. */
function pathOf({ url = '' }: IncomingMessage): string {
  const [path] = splitOnce(url.slice(MOUNT.length), '?');
  return path.length > 1 ? trimEndOf(path, '/') : path;
}

/** The request as the library wants it: its own paths, without the slash at the end that clients may add. */
function mounted(request: IncomingMessage, baseUrl: string): IncomingMessage {
  const { protocol, host } = new URL(baseUrl);
  const [, query] = splitOnce(request.url ?? '', '?');
  const url = `${pathOf(request)}${query === undefined ? '' : `?${query}`}`;
  request.headers['x-forwarded-host'] = host;
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  return Object.assign(request, { url, originalUrl: `${MOUNT}${url}` });
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
