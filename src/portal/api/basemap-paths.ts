// /api/v2/basemaps/: what maps can be drawn on, besides the packaged map of the world. Read only: they are settings of the program.

import type { FastifyInstance } from 'fastify';
import { ok } from '../../kernel/result.ts';
import type { ListBasemaps } from '../../layer-ports/basemap.ts';
import { asRoute, json } from '../operations/exchange.ts';
import type { PortalContext } from '../portal-context.ts';

export function registerBasemapPaths(app: FastifyInstance, portal: PortalContext, list: ListBasemaps): void {
  app.get(
    '/api/v2/basemaps',
    asRoute(portal, async ({ request }) => {
      const { defaultId, basemaps } = await list(portal.baseUrl(request));
      return ok(json(200, { default: defaultId ?? null, basemaps }));
    }),
  );
}
