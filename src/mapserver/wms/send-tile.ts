// The name of a tile and a format → its picture, unless the caller has it already.

import { whenClientGone } from '../../http/client-gone.ts';
import { isAmong } from '../../http/etag.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { requestInfo } from '../map-context.ts';
import { type ImageFormat, MEDIA_TYPES } from '../render/encode-image.ts';
import { findTile, type TileAsk, type TileName, type WmtsParts } from './find-tile.ts';
import type { RasterTile } from './raster-tiles.ts';
import { renderFault, type WmsFault } from './wms-fault.ts';

export type PictureName = TileName & {
  readonly format: string;
  /** Without the opacity of the style. */
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

export async function sendTile(parts: WmtsParts, ask: TileAsk, name: PictureName): Promise<Result<unknown, WmsFault>> {
  const { request, reply, caller } = ask;
  const { tiles } = parts;
  const format = Object.hasOwn(FORMATS, name.format) ? FORMATS[name.format] : undefined;
  if (format === undefined)
    return err({ code: 'InvalidParameterValue', text: 'a tile is a png, jpeg or webp', locator: 'Format' });
  const found = await findTile(parts, ask, name);
  if (!found.ok) return found;
  const wanted: RasterTile = {
    ...found.value,
    caller,
    info: requestInfo(request),
    format,
    isSolid: name.isSolid,
    filter: name.filter,
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
    return err(renderFault(made.error, name.filter !== undefined));
  }
  reply.type(MEDIA_TYPES[format]).send(made.value);
  return ok(undefined);
}
