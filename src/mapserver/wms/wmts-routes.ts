// Pictures in tiles: `/rastertiles/{layer}/{z}/{x}/{y}.png` for web maps, and the Web Map Tile Service at `/wmts`, by parameters and by
// paths.

import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import { escapeXml } from '../../geo/style/xml-tree.ts';
import { parseTileAddress } from '../../geo/tile.ts';
import { whenClientGone } from '../../http/client-gone.ts';
import { isAmong } from '../../http/etag.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { type MapContext, requestInfo } from '../map-context.ts';
import { type ImageFormat, MEDIA_TYPES } from '../render/encode-image.ts';
import type { MapRenderer } from '../render/map-renderer.ts';
import { capabilitiesPages } from './capabilities-pages.ts';
import { makeRasterTiles, type RasterTile, type RasterTiles } from './raster-tiles.ts';
import type { WmsFault } from './wms-fault.ts';
import { readParameters } from './wms-request.ts';
import { renderFault } from './wms-routes.ts';
import { DEEPEST, MATRIX_SET, writeWmtsCapabilities } from './wmts-capabilities.ts';

type Wanted = {
  readonly layer: string;
  readonly style: string;
  readonly z: string;
  readonly x: string;
  readonly y: string;
  readonly format: string;
  readonly isSolid: boolean;
};

const FORMATS: Readonly<Record<string, ImageFormat>> = {
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  webp: 'webp',
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
};

export function registerWmts(app: FastifyInstance, context: MapContext, renderer: MapRenderer): void {
  const tiles = makeRasterTiles(renderer);

  app.get('/rastertiles/:layer/:z/:x/:file', async (request, reply) => {
    const caller = await context.identify(request, reply);
    if (caller === undefined) return reply;
    const { layer, z, x, file } = request.params as Readonly<Record<'layer' | 'z' | 'x' | 'file', string>>;
    const { style, opacity } = request.query as Readonly<Record<string, unknown>>;
    const [y = '', format = ''] = file.split('.', 2);
    const wanted = { layer, z, x, y, format, style: typeof style === 'string' ? style : '', isSolid: opacity === '1' };
    const sent = await sendTile(context, renderer, tiles, request, reply, caller, wanted);
    if (sent.ok) return reply;
    const { status = 400, text, code } = sent.error;
    if (code === 'NotFound') return context.answerError(request, reply, { kind: 'not-found' }, caller);
    if (status === 400) return context.answerError(request, reply, { kind: 'bad-request', detail: text }, caller);
    return reply.code(status).send({ detail: text });
  });

  const wmts =
    (handle: (request: FastifyRequest, reply: FastifyReply, caller: Caller) => Promise<Result<unknown, WmsFault>>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const caller = await context.identify(request, reply);
      if (caller === undefined) return reply;
      reply.header('Access-Control-Allow-Origin', '*');
      const handled = await handle(request, reply, caller);
      if (handled.ok) return reply;
      const { status = 400, code, text, locator } = handled.error;
      return reply
        .code(code === 'NotFound' ? 404 : status)
        .type('text/xml; charset=utf-8')
        .send(
          exceptionReport(code === 'NotFound' ? 'InvalidParameterValue' : (code ?? 'NoApplicableCode'), text, locator),
        );
    };

  const capabilities = async (
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
  ): Promise<Result<unknown, WmsFault>> => {
    const pages = await capabilitiesPages(context, caller, requestInfo(request), undefined);
    if (!pages.ok) return err({ code: undefined, text: 'the database does not answer; try again later', status: 503 });
    reply.header('Cache-Control', 'private, no-cache').header('Vary', 'Authorization, Cookie');
    reply
      .type('text/xml; charset=utf-8')
      .send(Readable.from(writeWmtsCapabilities(`${context.baseUrl(request)}/wmts`, pages.value)));
    return ok(undefined);
  };

  app.get(
    '/wmts',
    wmts(async (request, reply, caller) => {
      const at = request.url.indexOf('?');
      const parameters = readParameters(at < 0 ? '' : request.url.slice(at + 1));
      const service = parameters.get('SERVICE') ?? 'WMTS';
      if (service.toUpperCase() !== 'WMTS')
        return err({ code: 'InvalidParameterValue', text: 'this address serves WMTS', locator: 'service' });
      const get = (name: string): string => parameters.get(name) ?? '';
      switch (get('REQUEST').toLowerCase()) {
        case 'getcapabilities':
          return capabilities(request, reply, caller);
        case 'gettile': {
          const grid = gridFault(get('TILEMATRIXSET'));
          if (grid !== undefined) return err(grid);
          return sendTile(context, renderer, tiles, request, reply, caller, {
            layer: get('LAYER'),
            style: get('STYLE'),
            z: zoomOf(get('TILEMATRIX')),
            x: get('TILECOL'),
            y: get('TILEROW'),
            format: get('FORMAT') === '' ? 'png' : get('FORMAT').toLowerCase(),
            isSolid: false,
          });
        }
        default:
          return err({
            code: parameters.has('REQUEST') ? 'OperationNotSupported' : 'MissingParameterValue',
            text: 'REQUEST is GetCapabilities or GetTile',
            locator: 'request',
          });
      }
    }),
  );
  app.get('/wmts/1.0.0/WMTSCapabilities.xml', wmts(capabilities));
  app.get(
    '/wmts/1.0.0/:layer/:style/:set/:z/:row/:file',
    wmts(async (request, reply, caller) => {
      const { layer, style, set, z, row, file } = request.params as Readonly<Record<string, string>>;
      const grid = gridFault(set ?? '');
      if (grid !== undefined) return err(grid);
      const [x = '', format = ''] = (file ?? '').split('.', 2);
      return sendTile(context, renderer, tiles, request, reply, caller, {
        layer: layer ?? '',
        style: style ?? '',
        z: zoomOf(z ?? ''),
        x,
        y: row ?? '',
        format,
        isSolid: false,
      });
    }),
  );
}

/** Some clients put the name of the grid before the number. */
function zoomOf(matrix: string): string {
  return matrix.slice(matrix.lastIndexOf(':') + 1);
}

function gridFault(set: string): WmsFault | undefined {
  if (set === MATRIX_SET || set === 'WebMercatorQuad' || set === 'EPSG:3857') return undefined;
  return { code: 'InvalidParameterValue', text: `the tile matrix set is ${MATRIX_SET}`, locator: 'TileMatrixSet' };
}

async function sendTile(
  context: MapContext,
  renderer: MapRenderer,
  tiles: RasterTiles,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  { layer: name, style: styleName, z, x, y, format: formatName, isSolid }: Wanted,
): Promise<Result<unknown, WmsFault>> {
  const info = requestInfo(request);
  const format = Object.hasOwn(FORMATS, formatName) ? FORMATS[formatName] : undefined;
  if (format === undefined)
    return err({ code: 'InvalidParameterValue', text: 'a tile is a png, jpeg or webp', locator: 'Format' });
  const tile = parseTileAddress(z, x, y);
  if (!tile.ok) return err({ code: 'TileOutOfRange', text: tile.error.said });
  if (tile.value.z > DEEPEST) return err({ code: 'TileOutOfRange', text: `there are no tiles beyond zoom ${DEEPEST}` });
  const found = await context.layers.find(caller, info, name);
  if (!found.ok) {
    if (found.error.kind === 'no-such-layer')
      return err({ code: 'NotFound', text: `there is no layer ${name.slice(0, 200)}`, locator: 'Layer' });
    return err({ code: undefined, text: 'the database does not answer; try again later', status: 503 });
  }
  const style = await renderer.styleOf(caller, info, found.value, styleName.slice(0, 400));
  if (!style.ok) return err({ code: undefined, text: 'the database does not answer; try again later', status: 503 });
  if (style.value === undefined)
    return err({ code: 'InvalidParameterValue', text: 'the layer has no such style', locator: 'Style' });
  const wanted: RasterTile = {
    caller,
    info,
    layer: found.value,
    style: style.value,
    tile: tile.value,
    format,
    isSolid,
    signal: whenClientGone(reply.raw),
  };
  const tag = tiles.tagOf(wanted);
  // Kept by browsers, but asked about each time: a permission that is taken away takes effect at once.
  reply.header('Cache-Control', 'private, no-cache').header('Vary', 'Authorization, Cookie');
  reply.header('Access-Control-Allow-Origin', '*');
  if (tag !== undefined) {
    reply.header('ETag', tag);
    if (isAmong(tag, request.headers['if-none-match'] ?? '')) {
      reply.code(304).send();
      return ok(undefined);
    }
  }
  const made = await tiles.get(wanted);
  if (!made.ok) {
    reply.removeHeader('ETag');
    return err(renderFault(made.error));
  }
  reply.type(MEDIA_TYPES[format]).send(made.value);
  return ok(undefined);
}

function exceptionReport(code: string, text: string, locator: string | undefined): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ExceptionReport xmlns="http://www.opengis.net/ows/1.1" version="1.0.0" xml:lang="en"><Exception exceptionCode="${escapeXml(code)}"${locator === undefined ? '' : ` locator="${escapeXml(locator)}"`}><ExceptionText>${escapeXml(text)}</ExceptionText></Exception></ExceptionReport>\n`;
}
