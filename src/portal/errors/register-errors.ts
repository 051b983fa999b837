// Everything that is not a route's own reply: unknown paths and verbs, formats nobody speaks, bodies that cannot be read,
// and exceptions. Registered before the routes, so that it hears of each of them.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { diskFault } from '../../kernel/disk-fault.ts';
import type { Observe } from '../../kernel/observation.ts';
import { sendErrorPage, wantsErrorPage } from '../pages/register-pages.ts';
import { acceptsJson } from './accepts-json.ts';
import { makeAllowedMethods } from './allowed-methods.ts';
import { type AnswerError, internalError, makeAnswerError } from './answer-error.ts';
import { registerBodyParsers } from './body-parsers.ts';
import { frameworkFailure } from './framework-failure.ts';
import { openPreflight } from './open-services.ts';
import type { PortalError } from './portal-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers other formats than JSON and looks at Accept and `format` itself. */
    readonly negotiates?: boolean;
  }
}

export function registerErrors(app: FastifyInstance, observe: Observe): AnswerError {
  const answer = makeAnswerError(observe);
  const allowed = makeAllowedMethods();
  registerBodyParsers(app);
  app.addHook('onRoute', (route) => allowed.learn(route));

  app.addHook('onRequest', async (request, reply) => {
    if (request.method === 'OPTIONS' && !request.is404) {
      const path = pathOf(request);
      if (isApi(request) && allowed.hasOwn(path, request.routeOptions.url))
        return describePath(request, reply, allowed.of(path));
      reply.header('Allow', allowed.of(path).join(', '));
    }
    if (request.is404 || !isApi(request) || request.routeOptions.config.negotiates === true) return;
    const { format } = request.query as { readonly format?: unknown };
    if (format !== undefined && format !== 'json') return answer(request, reply, { kind: 'not-found' });
    if (!acceptsJson(request.headers.accept)) return answer(request, reply, { kind: 'not-acceptable' });
  });

  app.setNotFoundHandler((request, reply) => {
    const methods = allowed.of(pathOf(request));
    if (methods.length === 0 && wantsErrorPage(request)) {
      // Not returned: each look at a reply as a promise listens to the connection, and Node warns of so many.
      sendErrorPage(reply);
      return;
    }
    if (methods.length === 0) return answer(request, reply, { kind: 'not-found' });
    if (request.method === 'OPTIONS') return describePath(request, reply, methods);
    reply.header('Allow', withOptions(methods));
    return answer(request, reply, { kind: 'method-not-allowed', method: request.method });
  });

  app.setErrorHandler((error, request, reply) => {
    // Whatever breaks because the caller has left is nobody's mistake.
    const failure =
      frameworkFailure(error, request) ??
      (reply.raw.destroyed ? LEFT : (diskFailure(error) ?? internalError(error, observe)));
    return answer(request, reply, failure);
  });
  return answer;
}

/** Whoever writes a file meets a full disk, where it is kept as well as in the folder for temporary files. */
function diskFailure(error: unknown): PortalError | undefined {
  const fault = diskFault(error);
  return fault === undefined ? undefined : { kind: 'disk', fault, cause: (error as Error).message };
}

/** Whatever has an address can be asked what it takes. */
function withOptions(methods: readonly string[]): string {
  return [...new Set([...methods, 'OPTIONS'])].sort().join(', ');
}

function describePath(request: FastifyRequest, reply: FastifyReply, methods: readonly string[]): FastifyReply {
  reply.header('Allow', withOptions(methods));
  const leave = openPreflight(pathOf(request), request.headers, methods);
  if (leave !== undefined) return reply.code(204).headers(leave).send();
  return isApi(request) ? reply.send(FORMATS) : reply.code(204).send();
}

const LEFT: PortalError = { kind: 'bad-request', detail: 'The request was given up.' };

/** What OPTIONS tells of a path that has no records of its own. */
const FORMATS = {
  renders: ['application/json'],
  parses: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
};

function isApi(request: FastifyRequest): boolean {
  return request.url.startsWith('/api/v2');
}

function pathOf({ url }: FastifyRequest): string {
  const end = url.search(/[?;#]/);
  return end < 0 ? url : url.slice(0, end);
}
