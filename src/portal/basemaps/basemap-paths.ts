// /api/v2/basemaps/: what maps can be drawn on, besides the packaged map of the world. Read only: they are settings of the program.

import type { FastifyInstance } from 'fastify';
import { ok } from '../../kernel/result.ts';
import type { ListBasemaps } from '../../layer-ports/basemap.ts';
import { described } from '../description/described-route.ts';
import { arrayOf, INTEGER, orNull, record, type Schema, TEXT } from '../description/schema.ts';
import { asRoute, json } from '../operations/exchange.ts';
import type { PortalContext } from '../portal-context.ts';

export function registerBasemapPaths(app: FastifyInstance, portal: PortalContext, list: ListBasemaps): void {
  app.get(
    '/api/v2/basemaps',
    described({
      id: 'basemaps_list',
      tag: 'settings',
      summary: {
        en: 'What maps can be drawn on, besides the packaged map of the world',
        de: 'Worauf Karten gezeichnet werden können, außer der mitgelieferten Weltkarte',
      },
      answers: {
        200: record({
          default: { ...orNull(TEXT), description: 'An id; null: the packaged map of the world.' },
          basemaps: arrayOf({ oneOf: [STYLE, RASTER] }),
        }),
      },
    }),
    asRoute(portal, async ({ request }) => {
      const { defaultId, basemaps } = await list(portal.baseUrl(request));
      return ok(json(200, { default: defaultId ?? null, basemaps }));
    }),
  );
}

const NAMED: Readonly<Record<string, Schema>> = {
  id: TEXT,
  title: TEXT,
  attribution: { type: 'string', description: 'Plain text; empty where nothing has to be said.' },
  attribution_url: orNull(TEXT),
};

const STYLE: Schema = record({
  ...NAMED,
  kind: { type: 'string', enum: ['style'] },
  style: { type: 'string', description: 'Address of a MapLibre style.' },
  dark_style: { ...orNull(TEXT), description: 'The same for dark pages.' },
});

const RASTER: Schema = record({
  ...NAMED,
  kind: { type: 'string', enum: ['raster'] },
  tiles: { ...arrayOf(TEXT), description: 'Addresses with {z}, {x} and {y}, or {bbox-epsg-3857}.' },
  tile_size: INTEGER,
  minzoom: INTEGER,
  maxzoom: INTEGER,
  bounds: { ...orNull(arrayOf({ type: 'number' })), minItems: 4, maxItems: 4 },
});
