// `/basemaps/{id}/{z}/{x}/{y}.{ext}`: tiles of the PMTiles archives among the basemaps, and `/basemaps/{id}/style.json` (`style-dark.json`) for
// those of vectors. The same for everybody.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseTileAddress } from '../../geo/tile.ts';
import type { Observe } from '../../kernel/observation.ts';
import type { BasemapSetting, BasemapsNow, ListBasemaps } from '../../layer-ports/basemap.ts';
import { describeBasemap } from './describe-basemap.ts';
import { type Archive, type ArchiveShelf, unpacked } from './pmtiles-archive.ts';
import type { TileType } from './pmtiles-format.ts';
import { streetStyle } from './street-style.ts';

type ArchiveSetting = Extract<BasemapSetting, { readonly type: 'pmtiles' }>;

export type BasemapParts = {
  readonly now: BasemapsNow;
  readonly shelf: ArchiveShelf;
  readonly observe: Observe;
};

const DAY = 'public, max-age=86400';
const TYPES: Readonly<Record<TileType, string>> = {
  mvt: 'application/vnd.mapbox-vector-tile',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
};

/** An archive that cannot be read is told to the log and listed apart: a viewer has nothing to draw of it. */
export function listBasemaps({ now, shelf, observe }: BasemapParts): ListBasemaps {
  return async (base) => {
    const basemaps = [];
    const unreadable = [];
    const settings = now();
    for (const setting of settings) {
      if (setting.type !== 'pmtiles') {
        basemaps.push(describeBasemap(setting));
        continue;
      }
      const archive = await shelf.get(setting.id, setting.place);
      if (archive.ok) {
        basemaps.push(describeArchive(setting, archive.value, base));
        continue;
      }
      observe({ kind: 'job-failed', message: `the basemap ${setting.id} ${archive.error}` });
      unreadable.push({ id: setting.id, title: setting.title, reason: archive.error });
    }
    const chosen = settings.find(({ isDefault }) => isDefault)?.id;
    return { defaultId: basemaps.some(({ id }) => id === chosen) ? chosen : undefined, basemaps, unreadable };
  };
}

function describeArchive(setting: ArchiveSetting, { header }: Archive, base: string) {
  const { id, title, attribution, attributionUrl } = setting;
  const named = { id, title, attribution, attribution_url: attributionUrl ?? null, sites: [] };
  const at = `${base}/basemaps/${id}`;
  if (header.tileType === 'mvt')
    return { ...named, kind: 'style', style: `${at}/style.json`, dark_style: `${at}/style-dark.json` } as const;
  const { minzoom, maxzoom, bounds, tileType } = header;
  const tiles = [`${at}/{z}/{x}/{y}.${tileType}`];
  return { ...named, kind: 'raster', tiles, tile_size: setting.tileSize, minzoom, maxzoom, bounds } as const;
}

type TileParams = { readonly id: string; readonly z: string; readonly x: string; readonly file: string };

export function registerBasemaps(
  app: FastifyInstance,
  { now, shelf, observe }: BasemapParts,
  baseUrl: (request: FastifyRequest) => string,
): void {
  const find = async (id: string, reply: FastifyReply): Promise<[ArchiveSetting, Archive] | undefined> => {
    const setting = now().find((each): each is ArchiveSetting => each.type === 'pmtiles' && each.id === id);
    if (setting === undefined) {
      await reply.code(404).send({ detail: 'There is no archive of this name among the basemaps.' });
      return undefined;
    }
    const archive = await shelf.get(id, setting.place);
    if (archive.ok) return [setting, archive.value];
    observe({ kind: 'job-failed', message: `the basemap ${id} ${archive.error}` });
    await reply
      .code(503)
      .header('Retry-After', '60')
      .send({ detail: `The basemap ${archive.error}.` });
    return undefined;
  };

  const sendStyle = (isDark: boolean) => async (request: FastifyRequest, reply: FastifyReply) => {
    const found = await find((request.params as { readonly id: string }).id, reply);
    if (found === undefined) return reply;
    const [{ id, attribution }, { header, layers }] = found;
    if (header.tileType !== 'mvt')
      return reply.code(404).send({ detail: 'This archive holds pictures: it has no style.' });
    const { minzoom, maxzoom, bounds } = header;
    const style = streetStyle({ base: baseUrl(request), id, layers, attribution, minzoom, maxzoom, bounds, isDark });
    return reply.header('Cache-Control', 'public, max-age=300').header('Access-Control-Allow-Origin', '*').send(style);
  };
  app.get('/basemaps/:id/style.json', sendStyle(false));
  app.get('/basemaps/:id/style-dark.json', sendStyle(true));

  app.get<{ Params: TileParams }>('/basemaps/:id/:z/:x/:file', async (request, reply) => {
    const { id, z, x, file } = request.params;
    const found = await find(id, reply);
    if (found === undefined) return reply;
    const [, { header, tile }] = found;
    const [row = '', extension, ...more] = file.split('.');
    const address = parseTileAddress(z, x, row);
    if (!address.ok) return reply.code(400).send({ detail: address.error.said });
    const fits = extension === header.tileType || (extension === 'pbf' && header.tileType === 'mvt');
    if (!fits || more.length > 0)
      return reply.code(404).send({ detail: `Tiles of this archive end in .${header.tileType}.` });
    const read = await tile(address.value.z, address.value.x, address.value.y);
    if (!read.ok)
      return reply
        .code(503)
        .header('Retry-After', '60')
        .send({ detail: `The basemap ${read.error}.` });
    // As it is stored, where the client takes that: every browser does.
    const { tileCompression } = header;
    const encoding = tileCompression === 'brotli' ? 'br' : tileCompression;
    const isTaken = encoding !== 'none' && String(request.headers['accept-encoding'] ?? '').includes(encoding);
    const sent = read.value === undefined || isTaken ? read : await unpacked(read.value, tileCompression);
    if (!sent.ok) return reply.code(503).send({ detail: `The basemap ${sent.error}.` });
    reply.header('Cache-Control', DAY).header('Access-Control-Allow-Origin', '*').header('Vary', 'Accept-Encoding');
    if (sent.value === undefined) return reply.code(204).send();
    if (isTaken) reply.header('Content-Encoding', encoding);
    return reply.type(TYPES[header.tileType]).send(sent.value);
  });
}
