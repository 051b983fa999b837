// `/basemap/{z}/{x}/{y}.mvt`: the packaged map of the world as vector tiles; `/basemap/places.json?q=…`: search in its names. The same for
// everybody.

import type { FastifyInstance } from 'fastify';
import { parseTileAddress } from '../../geo/tile.ts';
import { makeByteCache } from '../../kernel/byte-cache.ts';
import { inSlices } from '../../kernel/in-slices.ts';
import type { MapContext } from '../map-context.ts';
import { loadBasemap } from '../thumbnails/basemap.ts';
import { MAX_QUERY } from './find-places.ts';
import { makeGeocoder } from './geocoder.ts';
import { packagedGazetteer } from './packaged-gazetteer.ts';
import { loadWorldData } from './world-data.ts';
import { DEEPEST, makeWorldTile } from './world-tile.ts';

const DAY = 'public, max-age=86400';
const TILE_TYPE = 'application/vnd.mapbox-vector-tile';
const CACHE_BYTES = 16 * 1024 * 1024;

export function registerWorldTiles(app: FastifyInstance, context: MapContext): void {
  const { geocoder } = context;
  const geocode = geocoder === undefined ? undefined : makeGeocoder(geocoder.url, geocoder.perSecond, context.now);
  app.get<{ Querystring: { readonly q?: unknown; readonly language?: unknown } }>(
    '/basemap/places.json',
    async (request, reply) => {
      const { q, language = 'en' } = request.query;
      if (typeof q !== 'string' || typeof language !== 'string' || q.length > MAX_QUERY)
        return context.answerError(request, reply, {
          kind: 'bad-request',
          detail: `q: the beginning of a name, ${MAX_QUERY} characters at most; language: en, de, fr or es.`,
        });
      const known = (await packagedGazetteer()).find(q, language);
      // Whoever types three letters of a town need not be sent anywhere.
      const found = geocode === undefined || q.trim().length < 4 ? [] : await geocode(q, language);
      const places = [...known, ...(found ?? [])];
      return (
        reply
          // Asked again, there may be addresses.
          .header('Cache-Control', found === undefined ? 'no-store' : DAY)
          .header('Access-Control-Allow-Origin', '*')
          .type('application/json')
          .send(JSON.stringify({ attribution: 'GeoNames, CC BY 4.0; Natural Earth', places }))
      );
    },
  );
  const cache = makeByteCache<Promise<Buffer>>(CACHE_BYTES);
  app.get<{ Params: { readonly z: string; readonly x: string; readonly file: string } }>(
    '/basemap/:z/:x/:file',
    async (request, reply) => {
      const { z, x, file } = request.params;
      const [, y] = /^(\d{1,4})\.mvt$/.exec(file) ?? [];
      const tile = y === undefined ? undefined : parseTileAddress(z, x, y);
      if (tile?.ok !== true || tile.value.z > DEEPEST)
        return context.answerError(request, reply, {
          kind: 'bad-request',
          detail: `The map of the world has tiles of the zooms 0 to ${DEEPEST}: /basemap/{z}/{x}/{y}.mvt.`,
        });
      const key = `${z}/${x}/${y}`;
      const address = tile.value;
      const making =
        cache.get(key) ??
        (async () => inSlices(makeWorldTile(address, await loadBasemap(address.z), await loadWorldData())))();
      const bytes = await making;
      cache.set(key, making, bytes.length + 200);
      reply.header('Cache-Control', DAY).header('Access-Control-Allow-Origin', '*');
      return bytes.length === 0 ? reply.code(204).send() : reply.type(TILE_TYPE).send(bytes);
    },
  );
}
