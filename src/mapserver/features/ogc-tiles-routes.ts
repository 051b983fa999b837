// OGC API Tiles: the grid, the tilesets of a layer, and its tiles.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseTileAddress } from '../../geo/tile.ts';
import { err, ok } from '../../kernel/result.ts';
import type { MapContext } from '../map-context.ts';
import { answerTile } from '../tiles/tile-routes.ts';
import type { TileService } from '../tiles/tile-service.ts';
import { gridDocument, gridList, tilesetDocument, tilesetList } from './ogc-documents.ts';
import { isGrid, json, type OgcRoute } from './ogc-route.ts';

export function registerOgcTiles(
  scope: FastifyInstance,
  context: MapContext,
  tiles: TileService,
  { route, withLayer }: OgcRoute,
): void {
  scope.get(
    '/ogc/tileMatrixSets',
    route(({ reply, root }) => ok(json(reply, gridList(root)))),
  );
  scope.get(
    '/ogc/tileMatrixSets/:grid',
    route(({ request, reply }) => (isGrid(request) ? ok(json(reply, gridDocument())) : err({ kind: 'not-found' }))),
  );
  scope.get(
    '/ogc/collections/:layer/tiles',
    route(withLayer(({ reply, root }, layer) => ok(json(reply, tilesetList(layer, root))))),
  );
  scope.get(
    '/ogc/collections/:layer/tiles/:grid',
    route(
      withLayer(({ request, reply, root }, layer) =>
        isGrid(request) ? ok(json(reply, tilesetDocument(layer, root))) : err({ kind: 'not-found' }),
      ),
    ),
  );
  scope.get('/ogc/collections/:layer/tiles/:grid/:z/:row/:column', oneTile);

  async function oneTile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await context.identify(request, reply);
    if (caller === undefined) return reply;
    const { layer, z, row, column } = request.params as Record<'layer' | 'z' | 'row' | 'column', string>;
    const { f = 'mvt' } = request.query as { readonly f?: unknown };
    if (!isGrid(request) || layer.includes(','))
      return context.answerError(request, reply, { kind: 'not-found' }, caller);
    if (f !== 'mvt') return context.answerError(request, reply, { kind: 'bad-request', detail: 'f is mvt.' }, caller);
    const tile = parseTileAddress(z, column, row);
    if (!tile.ok) return context.answerError(request, reply, { kind: 'bad-request', detail: tile.error.said }, caller);
    return answerTile(context, tiles, request, reply, caller, layer, tile.value);
  }
}
