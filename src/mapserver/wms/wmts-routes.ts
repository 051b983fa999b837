// Pictures in tiles: `/rastertiles/{layer}/{z}/{x}/{y}.png` for web maps, and the Web Map Tile Service at `/wmts`, by parameters and by
// paths: tiles, and what lies at a place in one.

import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noteCause } from '../../http/request-notes.ts';
import { escapeXml } from '../../kernel/escape-xml.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { type MapContext, requestInfo, type ServiceHandler } from '../map-context.ts';
import { filterInQuery } from '../parse-filter.ts';
import type { MapRenderer } from '../pictures/map-renderer.ts';
import type { RasterReader } from '../raster/raster-reader.ts';
import { capabilitiesPages } from './capabilities-pages.ts';
import type { TileAsk, TileName, WmtsParts } from './find-tile.ts';
import { makeRasterTiles } from './raster-tiles.ts';
import { sendTile } from './send-tile.ts';
import { sendTileInfo, USUAL_COUNT } from './send-tile-info.ts';
import { databaseFault, filterFault, type WmsFault } from './wms-fault.ts';
import { type Parameters, readParameters, wholeNumber } from './wms-request.ts';
import { MATRIX_SET, writeWmtsCapabilities } from './wmts-capabilities.ts';

type Answer = Promise<Result<unknown, WmsFault>>;

export function registerWmts(
  app: FastifyInstance,
  context: MapContext,
  renderer: MapRenderer,
  rasters: RasterReader,
): ServiceHandler {
  const parts: WmtsParts = { context, renderer, rasters, tiles: makeRasterTiles(renderer) };

  app.get('/rastertiles/:layer/:z/:x/:file', async (request, reply) => {
    const caller = await context.identify(request, reply);
    if (caller === undefined) return reply;
    const { layer, z, x, file } = request.params as Readonly<Record<'layer' | 'z' | 'x' | 'file', string>>;
    const { style, opacity } = request.query as Readonly<Record<string, unknown>>;
    const [y = '', format = ''] = file.split('.', 2);
    const filter = filterInQuery(request.query as Readonly<Record<string, unknown>>);
    if (!filter.ok) return context.answerError(request, reply, filter.error, caller);
    const named = { layer, z, x, y, format, style: typeof style === 'string' ? style : '' };
    const name = { ...named, isSolid: opacity === '1', filter: filter.value };
    const sent = await sendTile(parts, { request, reply, caller }, name);
    if (sent.ok) return reply;
    const { status = 400, text, code } = sent.error;
    if (code === 'NotFound') return context.answerError(request, reply, { kind: 'not-found' }, caller);
    const detail = text.replace(/^CQL_FILTER/, 'filter');
    if (status === 400) return context.answerError(request, reply, { kind: 'bad-request', detail }, caller);
    return reply.code(status).send({ detail: text });
  });

  const wmts =
    (handle: (ask: TileAsk) => Answer) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const caller = await context.identify(request, reply);
      if (caller === undefined) return reply;
      reply.header('Access-Control-Allow-Origin', '*');
      const handled = await handle({ request, reply, caller });
      if (handled.ok) return reply;
      const { status = 400, code, text, locator, cause } = handled.error;
      noteCause(request.raw, cause ?? text);
      return reply
        .code(code === 'NotFound' ? 404 : status)
        .type('text/xml; charset=utf-8')
        .send(
          exceptionReport(code === 'NotFound' ? 'InvalidParameterValue' : (code ?? 'NoApplicableCode'), text, locator),
        );
    };

  const capabilities = async ({ request, reply, caller }: TileAsk): Answer => {
    const pages = await capabilitiesPages(context, caller, requestInfo(request), undefined);
    if (!pages.ok) return err(databaseFault(pages.error));
    reply.header('Cache-Control', 'private, no-cache').header('Vary', 'Authorization, Cookie');
    reply
      .type('text/xml; charset=utf-8')
      .send(Readable.from(writeWmtsCapabilities(context.serviceUrl(request, '/wmts'), pages.value)));
    return ok(undefined);
  };

  const byParameters = wmts(async (ask) => {
    const { url } = ask.request;
    const at = url.indexOf('?');
    const parameters = readParameters(at < 0 ? '' : url.slice(at + 1));
    const service = parameters.get('SERVICE') ?? 'WMTS';
    if (service.toUpperCase() !== 'WMTS')
      return err({ code: 'InvalidParameterValue', text: 'this address serves WMTS', locator: 'service' });
    const get = (name: string): string => parameters.get(name) ?? '';
    // An address alone is what GDAL asks for, and people type.
    const operation = parameters.size === 0 ? 'getcapabilities' : get('REQUEST').toLowerCase();
    switch (operation) {
      case 'getcapabilities':
        return capabilities(ask);
      case 'gettile': {
        const tile = tileIn(parameters);
        if (!tile.ok) return tile;
        const format = get('FORMAT') === '' ? 'png' : get('FORMAT').toLowerCase();
        return sendTile(parts, ask, { ...tile.value, format, isSolid: false });
      }
      case 'getfeatureinfo': {
        const tile = tileIn(parameters);
        if (!tile.ok) return tile;
        // Some clients write the name of the format as the service of maps calls it.
        const format = parameters.get('INFOFORMAT') ?? parameters.get('INFO_FORMAT') ?? 'text/plain';
        const place = { i: get('I'), j: get('J'), format, ...extent(parameters) };
        return sendTileInfo(parts, ask, { ...tile.value, ...place });
      }
      default:
        return err({
          code: parameters.has('REQUEST') ? 'OperationNotSupported' : 'MissingParameterValue',
          text: 'REQUEST is GetCapabilities, GetTile or GetFeatureInfo',
          locator: 'request',
        });
    }
  });
  app.get('/wmts', byParameters);
  app.get('/wmts/1.0.0/WMTSCapabilities.xml', wmts(capabilities));
  app.get(
    '/wmts/1.0.0/:layer/:style/:set/:z/:row/:file',
    wmts(async (ask) => {
      const { file = '', ...path } = ask.request.params as Readonly<Record<string, string>>;
      const [x = '', format = ''] = file.split('.', 2);
      const tile = tileOn({ ...path, col: x });
      return tile.ok ? sendTile(parts, ask, { ...tile.value, format, isSolid: false }) : tile;
    }),
  );
  app.get(
    '/wmts/1.0.0/:layer/:style/:set/:z/:row/:col/:j/:file',
    wmts(async (ask) => {
      const { j = '', file = '', ...path } = ask.request.params as Readonly<Record<string, string>>;
      const [i = '', format = ''] = file.split('.', 2);
      const tile = tileOn(path);
      if (!tile.ok) return tile;
      return sendTileInfo(parts, ask, { ...tile.value, i, j, format, count: USUAL_COUNT, buffer: undefined });
    }),
  );
  return byParameters;
}

function tileIn(parameters: Parameters): Result<TileName, WmsFault> {
  const get = (name: string): string => parameters.get(name) ?? '';
  const said = parameters.get('CQL_FILTER');
  const filter = filterInQuery(said === undefined || said === '' ? {} : { filter: said });
  if (!filter.ok) return err(filterFault(filter.error.detail));
  const named = tileOn({
    layer: get('LAYER'),
    style: get('STYLE'),
    set: get('TILEMATRIXSET'),
    z: get('TILEMATRIX'),
    row: get('TILEROW'),
    col: get('TILECOL'),
  });
  return named.ok ? ok({ ...named.value, filter: filter.value }) : named;
}

function tileOn(path: Readonly<Record<string, string>>): Result<TileName, WmsFault> {
  const { layer = '', style = '', set = '', z = '', row = '', col = '' } = path;
  if (set !== MATRIX_SET && set !== 'WebMercatorQuad' && set !== 'EPSG:3857')
    return err({
      code: 'InvalidParameterValue',
      text: `the tile matrix set is ${MATRIX_SET}`,
      locator: 'TileMatrixSet',
    });
  // Some clients put the name of the grid before the number.
  return ok({ layer, style, z: z.slice(z.lastIndexOf(':') + 1), x: col, y: row, filter: undefined });
}

/** Not of the standard; as the service of maps has them. */
function extent(parameters: Parameters): { readonly count: number; readonly buffer: number | undefined } {
  return {
    count: wholeNumber(parameters.get('FEATURE_COUNT'), USUAL_COUNT, 1, 100),
    buffer: parameters.has('BUFFER') ? wholeNumber(parameters.get('BUFFER'), 0, 0, 50) : undefined,
  };
}

function exceptionReport(code: string, text: string, locator: string | undefined): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ExceptionReport xmlns="http://www.opengis.net/ows/1.1" version="1.0.0" xml:lang="en"><Exception exceptionCode="${escapeXml(code)}"${locator === undefined ? '' : ` locator="${escapeXml(locator)}"`}><ExceptionText>${escapeXml(text)}</ExceptionText></Exception></ExceptionReport>\n`;
}
