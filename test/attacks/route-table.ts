// The routes of a running application, from its own router: what is registered tomorrow is in it tomorrow.

import type { FastifyInstance } from 'fastify';

export type Route = { readonly method: string; readonly path: string };

/** Every method of every address; parameters as `:name`. */
export function routesOf(app: FastifyInstance): readonly Route[] {
  const routes: Route[] = [];
  const above: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    // `│   ├── /members (GET, HEAD)`: four characters for every level above.
    const [, indent = '', segment = '', methods] =
      /^((?:│ {3}| {4})*)[├└]── (.*?)(?: \(([A-Z, -]+)\))?$/.exec(line) ?? [];
    if (segment === '') continue;
    above.length = indent.length / 4;
    above.push(segment);
    for (const method of methods?.split(', ') ?? []) routes.push({ method, path: above.join('') });
  }
  return routes;
}
