// OGC API Maps, Styles and map tiles of a layer, vector or raster: `/ogc/collections/{layer}/map`, `/styles`, `/map/tiles`; `/ogc/styles` lists the
// styles of all layers. The work is that of WMS, the style documents and the tiles of WMTS, under other addresses.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Box, makeProject, projectBox } from '../../geo/projection.ts';
import { parseTileAddress } from '../../geo/tile.ts';
import { makeView } from '../../geo/view.ts';
import { whenClientGone } from '../../http/client-gone.ts';
import { isAmong } from '../../http/etag.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Layer } from '../../layer-ports/layer.ts';
import { neighbourLinks, PAGE_PARAMETERS, readLayerPage } from '../features/layer-pages.ts';
import { collectionUrl, JSON_TYPE } from '../features/ogc-documents.ts';
import { type Ask, type Handled, isGrid, json, makeOgcRoute } from '../features/ogc-route.ts';
import { layerFailure, type MapContext, type MapFailure, requestInfo } from '../map-context.ts';
import { filterInQuery } from '../parse-filter.ts';
import type { MapRenderer } from '../pictures/map-renderer.ts';
import type { PictureError } from '../pictures/picture-threads.ts';
import { queryFailure } from '../query-failure.ts';
import { MEDIA_TYPES } from '../render/encode-image.ts';
import { pickStyle, sldOf, styleLayers } from '../styles/resolve-style.ts';
import { makeStyleDocument } from '../styles/style-document.ts';
import { makeRasterTiles } from '../wms/raster-tiles.ts';
import { MAPLIBRE, mapTileset, mapTilesets, SLD10, styleList, stylesOfLayers } from './map-documents.ts';
import { imageFormatOf, MAP_PARAMETERS, type OgcMapRequest, parseMapRequest, sizeOf } from './map-request.ts';

type Query = Readonly<Record<string, unknown>>;
type Params = {
  readonly layer: string;
  readonly style?: string;
  readonly z?: string;
  readonly row?: string;
  readonly column?: string;
};

export function registerOgcMaps(app: FastifyInstance, context: MapContext, renderer: MapRenderer): void {
  const { route, withAnyLayer } = makeOgcRoute(context);
  const tiles = makeRasterTiles(renderer);

  /** Pictures have formats of their own, which the frame does not know. */
  const picture =
    (handle: (ask: Omit<Ask, 'format'>, layer: Layer) => Promise<Handled>, known: readonly string[]) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const caller = await context.identify(request, reply);
      if (caller === undefined) return reply;
      const fail = (error: MapFailure): FastifyReply => context.answerError(request, reply, error, caller);
      const strange = Object.keys(request.query as Query).find((name) => !known.includes(name));
      if (strange !== undefined)
        return fail({ kind: 'bad-request', detail: `The parameter "${strange.slice(0, 100)}" is not known here.` });
      reply.header('Access-Control-Allow-Origin', '*').header('Cache-Control', 'private, no-cache');
      reply.header('Vary', 'Accept, Authorization, Cookie');
      const ask = { request, reply, caller, root: `${context.baseUrl(request)}/ogc` };
      const layer = await layerOf(ask);
      if (!layer.ok) return fail(layer.error);
      const handled = await handle(ask, layer.value);
      return handled.ok ? handled.value : fail(handled.error);
    };

  async function layerOf({ request, caller }: Pick<Ask, 'request' | 'caller'>): Promise<Result<Layer, MapFailure>> {
    const found = await context.layers.find(caller, requestInfo(request), (request.params as Params).layer);
    return found.ok ? found : err(layerFailure(found.error));
  }

  const base = '/ogc/collections/:layer';
  app.get(`${base}/map`, picture(drawMap, MAP_PARAMETERS));
  app.get(`${base}/styles/:style/map`, picture(drawMap, MAP_PARAMETERS));
  app.get(`${base}/map/tiles/:grid/:z/:row/:column`, picture(drawTile, ['f', 'filter', 'filter-lang']));
  app.get(
    `${base}/map/tiles`,
    route(
      withAnyLayer(({ reply, root }, layer) => ok(json(reply, mapTilesets(layer, root, collectionUrl(root, layer))))),
    ),
  );
  app.get(
    `${base}/map/tiles/:grid`,
    route(
      withAnyLayer(({ request, reply, root }, layer) =>
        isGrid(request)
          ? ok(json(reply, mapTileset(layer, root, collectionUrl(root, layer))))
          : err({ kind: 'not-found' }),
      ),
    ),
  );
  app.get(
    `${base}/styles`,
    route(
      withAnyLayer(async ({ request, reply, caller, root }, layer) => {
        const styles = await context.layers.styles(caller, requestInfo(request), layer.id);
        if (!styles.ok) return err(layerFailure(styles.error));
        return ok(json(reply, styleList(layer, styles.value, collectionUrl(root, layer))));
      }),
    ),
  );
  app.get(`${base}/styles/:style`, picture(sendStyle, ['f']));
  app.get('/ogc/styles', route(listStyles, PAGE_PARAMETERS));

  async function listStyles({ request, reply, caller, root }: Ask): Promise<Handled> {
    const page = readLayerPage(request.query as Query);
    if (!page.ok) return page;
    const info = requestInfo(request);
    const found = await context.layers.list(caller, info, page.value);
    if (!found.ok) return err(layerFailure(found.error));
    const { layers, total } = found.value;
    const names = await context.styleStore.names(
      caller,
      info,
      layers.flatMap(({ styles }) => styles),
    );
    if (!names.ok) return err({ kind: 'database', error: names.error });
    const url = `${root}/styles`;
    return ok(
      json(reply, {
        styles: stylesOfLayers(layers, names.value, root),
        links: [
          { href: url, rel: 'self', type: JSON_TYPE, title: 'This document' },
          ...neighbourLinks(url, page.value, total, JSON_TYPE),
        ],
      }),
    );
  }

  async function sendStyle({ request, reply, caller }: Omit<Ask, 'format'>, layer: Layer): Promise<Handled> {
    const { f } = request.query as { readonly f?: unknown };
    const isSld = f === 'sld10' || (f === undefined && (request.headers.accept ?? '').includes('ogc.sld'));
    if (!isSld && f !== undefined && f !== 'mapbox')
      return err({ kind: 'bad-request', detail: 'f is mapbox or sld10.' });
    const { style: wanted = '' } = request.params as Params;
    const styles = await context.layers.styles(caller, requestInfo(request), layer.id);
    if (!styles.ok) return err(layerFailure(styles.error));
    const style = pickStyle(layer, styles.value, wanted);
    if (style === undefined && wanted !== 'default') return err({ kind: 'not-found' });
    if (isSld) return ok(reply.type(SLD10).send(sldOf(layer, style)));
    const document = makeStyleDocument(layer, style, styleLayers(layer, style), context.baseUrl(request));
    return ok(reply.type(MAPLIBRE).send(JSON.stringify(document)));
  }

  async function drawMap(ask: Omit<Ask, 'format'>, layer: Layer): Promise<Handled> {
    const { request, reply, caller } = ask;
    const asked = parseMapRequest(request.query as Query, request.headers.accept);
    if (!asked.ok) return asked;
    const { filter } = asked.value;
    if (filter !== undefined && layer.kind === 'raster') return nothingToFilter();
    const info = requestInfo(request);
    const style = await renderer.styleOf(caller, info, layer, ((request.params as Params).style ?? '').slice(0, 400));
    if (!style.ok) return err(layerFailure(style.error));
    if (style.value === undefined) return err({ kind: 'not-found' });
    const place = await placeOf(asked.value, layer);
    if (!place.ok) return place;
    const { crs, box } = place.value;
    const [width, height] = sizeOf(asked.value, box);
    const drawn = await renderer.draw(
      { caller, info, signal: whenClientGone(reply.raw) },
      {
        view: makeView(crs, box, width, height),
        layers: [{ layer, style: style.value.layers, filter: filter?.filter }],
        background: asked.value.isTransparent ? undefined : asked.value.background,
        format: asked.value.format,
      },
    );
    if (!drawn.ok) return renderFailure(drawn.error, filter !== undefined);
    return ok(
      reply
        .header('Content-Bbox', box.join(','))
        .header('Content-Crs', `<http://www.opengis.net/def/crs/EPSG/0/${crs.srid}>`)
        .type(MEDIA_TYPES[asked.value.format])
        .send(drawn.value),
    );
  }

  /** The box in the system of the map. */
  async function placeOf(
    { box, boxCrs, crs }: OgcMapRequest,
    layer: Layer,
  ): Promise<Result<{ readonly crs: Parameters<typeof makeView>[0]; readonly box: Box }, MapFailure>> {
    const output = await renderer.crs.find(crs ?? layer.srid);
    const given = await renderer.crs.find(box === undefined ? 4326 : boxCrs);
    if (!output.ok) return err({ kind: 'database', error: output.error });
    if (!given.ok) return err({ kind: 'database', error: given.error });
    if (output.value === undefined || given.value === undefined)
      return err({ kind: 'bad-request', detail: 'There is no such coordinate system.' });
    const wanted = box ?? layer.extent?.wgs84 ?? ([-180, -85, 180, 85] as const);
    const placed = projectBox(makeProject(given.value, output.value), wanted);
    if (placed === undefined || placed[0] >= placed[2] || placed[1] >= placed[3])
      return err({ kind: 'bad-request', detail: 'The box cannot be shown in this coordinate system.' });
    return ok({ crs: output.value, box: placed });
  }

  async function drawTile({ request, reply, caller }: Omit<Ask, 'format'>, layer: Layer): Promise<Handled> {
    const { z = '', row = '', column = '' } = request.params as Params;
    if (!isGrid(request)) return err({ kind: 'not-found' });
    const tile = parseTileAddress(z, column, row);
    if (!tile.ok) return err({ kind: 'bad-request', detail: tile.error.said });
    const format = imageFormatOf(request.query as Query, request.headers.accept);
    if (!format.ok) return format;
    const filter = filterInQuery(request.query as Query);
    if (!filter.ok) return filter;
    if (filter.value !== undefined && layer.kind === 'raster') return nothingToFilter();
    const info = requestInfo(request);
    const style = await renderer.styleOf(caller, info, layer, '');
    if (!style.ok) return err(layerFailure(style.error));
    if (style.value === undefined) return err({ kind: 'not-found' });
    const signal = whenClientGone(reply.raw);
    const wanted = {
      caller,
      info,
      layer,
      style: style.value,
      tile: tile.value,
      format: format.value,
      isSolid: false,
      filter: filter.value,
      signal,
    };
    const tag = tiles.tagOf(wanted);
    if (tag !== undefined && isAmong(tag, request.headers['if-none-match'] ?? ''))
      return ok(reply.code(304).header('ETag', tag).send());
    const made = await tiles.get(wanted);
    if (!made.ok) return renderFailure(made.error, filter.value !== undefined);
    if (tag !== undefined) reply.header('ETag', tag);
    return ok(reply.type(MEDIA_TYPES[format.value]).send(made.value));
  }
}

function nothingToFilter(): Result<never, MapFailure> {
  return err({ kind: 'bad-request', detail: 'A raster has no features to filter.' });
}

/** What a filter asks of values may fail when they are looked at: then the filter is wrong, and not the database. */
function renderFailure(error: PictureError, isFiltered: boolean): Handled {
  if (error.kind === 'database')
    return err(isFiltered ? queryFailure(error.error) : { kind: 'database', error: error.error });
  if (error.kind === 'bad-filter') return err({ kind: 'bad-request', detail: `filter: ${error.said}.` });
  return err({
    kind: 'bad-request',
    detail:
      error.kind === 'raster'
        ? 'The file of this raster cannot be read.'
        : error.kind === 'too-large'
          ? `The map has more than ${error.limit} pixels, which is the most for one picture: make width or height smaller.`
          : 'The map takes too long or too many are asked for: ask for a smaller part of it, or later.',
  });
}
