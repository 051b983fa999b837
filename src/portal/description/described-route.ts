// Routes carry their descriptions: `app.get(address, described({ … }), handler)`. The document of the API is made of what is registered.

import type { FastifyInstance } from 'fastify';
import type { Language } from './language.ts';
import { type Described, describe, type Paths } from './operation.ts';
import type { Schema } from './schema.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly described?: Described;
  }
  interface FastifyInstance {
    /** See collectRoutes. */
    readonly routes: readonly Route[];
  }
}

export type Route = {
  readonly method: string;
  /** As the document writes it: `/api/v2/sessions/{id}/`. */
  readonly path: string;
  /** Undefined: the route says nothing of itself. */
  readonly described: Described | undefined;
};

/** Options of a route. */
export function described(what: Described): { readonly config: { readonly described: Described } } {
  return { config: { described: what } };
}

/** Every route of the application, from the first call on; the list grows with them. */
export function collectRoutes(app: FastifyInstance): readonly Route[] {
  if (app.hasDecorator('routes')) return app.routes;
  const routes: Route[] = [];
  app.decorate('routes', routes);
  app.addHook('onRoute', ({ method, url, config }) => {
    // HEAD comes with GET, by the framework.
    for (const one of [method].flat())
      if (one !== 'HEAD' && config?.isRefusal !== true)
        routes.push({
          method: one.toLowerCase(),
          path: documentPath(url, config?.described),
          described: config?.described,
        });
  });
  return routes;
}

export function describedComponents(routes: readonly Route[]): Readonly<Record<string, Schema>> {
  return Object.assign({}, ...routes.map(({ described: what }) => what?.components));
}

export function describedPaths(routes: readonly Route[], language: Language): Paths {
  const paths: Paths = {};
  for (const { method, path, described: what } of routes)
    if (what !== undefined) paths[path] = { ...paths[path], [method]: describe(what, path, language) };
  return paths;
}

/** Addresses of JSON end with a slash, as clients send them; the router takes both. */
function documentPath(url: string, described: Described | undefined): string {
  const path = url.replaceAll(/:(\w+)/g, '{$1}');
  const hasSlash = /^\/(?:api|account)(?:\/|$)/.test(path) && described?.isForBrowsers !== true;
  return hasSlash && !path.endsWith('/') ? `${path}/` : path;
}

/** The tag of a collection's operations, and how their ids begin: the last part of its path. */
export function tagOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
