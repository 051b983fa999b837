// Which verbs a path knows, for telling "no such thing" from "not with this verb". Asked only when no route was found.

import type { RouteOptions } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route only says that its verb is not taken here. */
    readonly isRefusal?: boolean;
  }
}

export type AllowedMethods = {
  /** A route of the application, as its `onRoute` hook hears of it. */
  learn(route: Pick<RouteOptions, 'url' | 'method' | 'config'>): void;
  /** Verbs that this path takes; empty: there is no such path. */
  of(path: string): readonly string[];
  /** Whether the path has a route of its own, besides this one, which takes its last part for an id or the name of a field. */
  hasOwn(path: string, url: string | undefined): boolean;
};

export function makeAllowedMethods(): AllowedMethods {
  const routes = new Map<string, Known>();
  /** `/items/7/copy` is also an item's field of that name to the router; that there is none, the path of its own says. */
  const closest = (path: string): readonly Known[] => {
    const found = [...routes.values()].filter(({ pattern }) => pattern.test(path));
    const closeness = found
      .map((route) => route.closeness)
      .sort()
      .at(-1);
    return found.filter((route) => route.closeness === closeness);
  };
  return {
    learn({ url, method, config }) {
      // A route that takes everything (the files of the pages) says nothing about a path.
      if (url === '*' || url === '/*') return;
      const known = routes.get(url) ?? {
        url,
        pattern: routePattern(url),
        closeness: closenessOf(url),
        methods: new Set(),
      };
      if (config?.isRefusal !== true) for (const one of [method].flat()) known.methods.add(one);
      routes.set(url, known);
    },
    of(path) {
      return [...new Set(closest(path).flatMap(({ methods }) => [...methods]))].sort();
    },
    hasOwn(path, url) {
      const found = closest(path);
      return found.length > 0 && found.every((route) => route.url !== url);
    },
  };
}

type Known = {
  readonly url: string;
  readonly pattern: RegExp;
  readonly closeness: string;
  readonly methods: Set<string>;
};

/** A digit for each part of an address; the larger the text, the more of the path the route says itself. */
function closenessOf(url: string): string {
  return url
    .split('/')
    .map((part) => (part.includes('*') ? '0' : part.includes(':') ? '1' : '2'))
    .join('');
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
