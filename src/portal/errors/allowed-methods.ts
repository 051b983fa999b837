// Which verbs a path knows, for telling "no such thing" from "not with this verb". Asked only when no route was found.

import type { RouteOptions } from 'fastify';

export type AllowedMethods = {
  /** A route of the application, as its `onRoute` hook hears of it. */
  learn(route: Pick<RouteOptions, 'url' | 'method'>): void;
  /** Verbs of the routes that this path has; empty: there are none. */
  of(path: string): readonly string[];
};

export function makeAllowedMethods(): AllowedMethods {
  const routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  return {
    learn({ url, method }) {
      // A route that takes everything (the files of the pages) says nothing about a path.
      if (url === '*' || url === '/*') return;
      const known = routes.get(url) ?? { pattern: routePattern(url), methods: new Set<string>() };
      for (const one of [method].flat()) known.methods.add(one);
      routes.set(url, known);
    },
    of(path) {
      const found = new Set<string>();
      for (const { pattern, methods } of routes.values()) {
        if (pattern.test(path)) for (const method of methods) found.add(method);
      }
      return [...found].sort();
    },
  };
}

/** `/groups/:id/members` → what its paths look like, with or without a slash at the end. */
function routePattern(url: string): RegExp {
  const parts = url.split(/(:[A-Za-z0-9_]+(?:\([^)]*\))?|\*)/);
  const source = parts.map((part, i) => (i % 2 === 0 ? escaped(part) : part === '*' ? '.+' : '[^/]+')).join('');
  return new RegExp(`^${source.replace(/\/$/, '')}/?$`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
