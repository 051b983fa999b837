// OGC API Features and OGC API Tiles under `/ogc`: what the API says of itself, and the routes of its resources.

import type { FastifyInstance } from 'fastify';
import { ok } from '../../kernel/result.ts';
import type { MapContext } from '../map-context.ts';
import { makeCrsBook } from '../query/known-crs.ts';
import type { TileService } from '../tiles/tile-service.ts';
import { registerAggregates } from './aggregate-routes.ts';
import { registerCollections } from './collections-routes.ts';
import { registerEdits } from './edit-routes.ts';
import { registerHistory } from './history-routes.ts';
import { registerItems } from './items-routes.ts';
import { CONFORMANCE, landingPage, OPENAPI } from './ogc-documents.ts';
import { apiHtml, conformanceHtml, landingHtml } from './ogc-html.ts';
import { openApiDocument } from './ogc-openapi.ts';
import { html, json, makeOgcRoute } from './ogc-route.ts';
import { registerOgcTiles } from './ogc-tiles-routes.ts';
import { registerShapes } from './shape-routes.ts';

const VERSION = '1.0.0';

export async function registerOgcApi(app: FastifyInstance, context: MapContext, tiles: TileService): Promise<void> {
  const book = makeCrsBook(context.db);
  const frame = makeOgcRoute(context);
  const { route } = frame;

  await app.register(async (scope) => {
    scope.get(
      '/ogc',
      route(({ reply, root, format }) => {
        const page = landingPage(root);
        return ok(format === 'html' ? html(reply, landingHtml(root, page)) : json(reply, page));
      }),
    );
    scope.get(
      '/ogc/conformance',
      route(({ reply, root, format }) =>
        ok(format === 'html' ? html(reply, conformanceHtml(root)) : json(reply, { conformsTo: CONFORMANCE })),
      ),
    );
    scope.get(
      '/ogc/api',
      route(({ reply, root, format }) => {
        const document = openApiDocument(root, VERSION);
        if (format === 'html') return ok(html(reply, apiHtml(root, document)));
        // As bytes: the type of a text would be written anew, with marks around the version by which GDAL does not know it.
        return ok(reply.type(OPENAPI).send(Buffer.from(JSON.stringify(document))));
      }),
    );
    registerCollections(scope, context, frame);
    registerItems(scope, context, book, frame);
    registerAggregates(scope, context, frame);
    registerEdits(scope, context, book, frame);
    registerShapes(scope, context, frame);
    registerHistory(scope, context, frame);
    registerOgcTiles(scope, context, tiles, frame);
  });
}
