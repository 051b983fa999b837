// Vector tiles: `/tiles/{layer}[,{layer}…]/{z}/{x}/{y}.mvt`, label points of areas at `/tiles/{layer}/labels/{z}/{x}/{y}.mvt`, and what is in
// them at `/tiles/{layer}[,…].json`.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import { parseTileAddress, type TileAddress } from '../../geo/tile.ts';
import { whenClientGone } from '../../http/client-gone.ts';
import { isAmong } from '../../http/etag.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layers/layer.ts';
import { layerFailure, type MapContext, type MapFailure, requestInfo } from '../map-context.ts';
import { type TileService, tagOfBytes } from './tile-service.ts';
import { makeTileJson } from './tilejson.ts';

const TILE_TYPE = 'application/vnd.mapbox-vector-tile';

/** More in one tile than a map ever shows at once. */
const MAX_LAYERS = 20;

type TileParams = { readonly layers: string; readonly z: string; readonly x: string; readonly file: string };

export function registerTiles(app: FastifyInstance, context: MapContext, tiles: TileService): void {
  const tileRoute =
    (labels: boolean) => async (request: FastifyRequest<{ Params: TileParams }>, reply: FastifyReply) => {
      const caller = await context.identify(request, reply);
      if (caller === undefined) return reply;
      const { layers, z, x, file } = request.params;
      const [row = '', format, ...more] = file.split('.');
      if ((format !== 'mvt' && format !== 'pbf') || more.length > 0)
        return context.answerError(request, reply, { kind: 'not-found' }, caller);
      const tile = parseTileAddress(z, x, row);
      if (!tile.ok)
        return context.answerError(request, reply, { kind: 'bad-request', detail: tile.error.said }, caller);
      return answerTile(context, tiles, request, reply, caller, layers, tile.value, labels);
    };
  app.get<{ Params: TileParams }>('/tiles/:layers/:z/:x/:file', tileRoute(false));
  app.get<{ Params: TileParams }>('/tiles/:layers/labels/:z/:x/:file', tileRoute(true));

  app.get<{ Params: { readonly file: string } }>('/tiles/:file', async (request, reply) => {
    const caller = await context.identify(request, reply);
    if (caller === undefined) return reply;
    const { file } = request.params;
    if (!file.endsWith('.json')) return context.answerError(request, reply, { kind: 'not-found' }, caller);
    const names = file.slice(0, -'.json'.length);
    const found = await findLayers(context, request, caller, names);
    if (!found.ok) return context.answerError(request, reply, found.error, caller);
    const address = names.split(',').map(encodeURIComponent).join(',');
    return reply
      .header('Cache-Control', 'private, no-cache')
      .header('Access-Control-Allow-Origin', '*')
      .type('application/json')
      .send(JSON.stringify(makeTileJson(found.value, address, context.baseUrl(request))));
  });
}

/** A tile of the layers with these names, whatever address it was asked for by. */
export async function answerTile(
  context: MapContext,
  tiles: TileService,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  names: string,
  tile: TileAddress,
  labels = false,
): Promise<FastifyReply> {
  const found = await findLayers(context, request, caller, names);
  if (!found.ok) return context.answerError(request, reply, found.error, caller);
  const layers = found.value;
  // Kept by browsers, but asked about each time: a permission that is taken away takes effect at once.
  reply
    .header('Cache-Control', 'private, no-cache')
    .header('Vary', 'Accept-Encoding, Authorization, Cookie')
    .header('Access-Control-Allow-Origin', '*');
  const early = tiles.tagOf(layers, tile, labels);
  if (early !== undefined && isAmong(early, request.headers['if-none-match'] ?? ''))
    return reply.header('ETag', early).code(304).send();
  const signal = whenClientGone(reply.raw);
  const made = await tiles.get({ caller, info: requestInfo(request), layers, tile, labels, signal });
  if (!made.ok) return context.answerError(request, reply, { kind: 'database', error: made.error }, caller);
  const tag = early ?? tagOfBytes(made.value.plain);
  reply.header('ETag', tag);
  if (early === undefined && isAmong(tag, request.headers['if-none-match'] ?? '')) return reply.code(304).send();
  const { plain } = made.value;
  if (plain.length === 0) return reply.code(204).send();
  reply.type(TILE_TYPE);
  const small = acceptsGzip(request) ? await made.value.gzip() : undefined;
  return small === undefined ? reply.send(plain) : reply.header('Content-Encoding', 'gzip').send(small);
}

async function findLayers(
  context: MapContext,
  request: FastifyRequest,
  caller: Caller,
  names: string,
): Promise<Result<readonly VectorLayer[], MapFailure>> {
  const wanted = [...new Set(names.split(','))];
  if (wanted.length > MAX_LAYERS)
    return err({ kind: 'bad-request', detail: `A tile holds at most ${MAX_LAYERS} layers.` });
  const layers: VectorLayer[] = [];
  for (const name of wanted) {
    const found = await context.layers.find(caller, requestInfo(request), name);
    if (!found.ok) return err(layerFailure(found.error));
    if (found.value.kind !== 'vector')
      return err({ kind: 'bad-request', detail: `${found.value.name} is a raster: it has no vector tiles.` });
    layers.push(found.value);
  }
  return ok(layers);
}

function acceptsGzip({ headers }: FastifyRequest): boolean {
  return String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((coding) => {
      const [name = '', ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase());
      const isRefused = parameters.some((parameter) => /^q ?= ?0(?:\.0*)?$/.test(parameter));
      return (name === 'gzip' || name === '*') && !isRefused;
    });
}
