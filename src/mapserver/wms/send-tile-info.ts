// The name of a tile and a place in it → what lies there: GetFeatureInfo of the tile service, as that of maps answers it.

import { WEB_MERCATOR } from '../../geo/projection.ts';
import { tileBounds } from '../../geo/tile.ts';
import { makeView } from '../../geo/view.ts';
import { err, type Result } from '../../kernel/result.ts';
import { findTile, type TileAsk, type TileName, type WmtsParts } from './find-tile.ts';
import { TILE_SIZE } from './raster-tiles.ts';
import { languageFor } from './reader-words.ts';
import { sendInfo } from './send-info.ts';
import type { WmsFault } from './wms-fault.ts';
import { INFO_ENDINGS, INFO_FORMATS, parseInfoFormat } from './wms-request.ts';

export type PlaceName = TileName & {
  /** From the left and from the top of the tile, in pixels. */
  readonly i: string;
  readonly j: string;
  readonly format: string;
  readonly count: number;
  readonly buffer: number | undefined;
};

/** The standard has no parameter for it: as many as a person reads. */
export const USUAL_COUNT = 10;

export async function sendTileInfo(
  parts: WmtsParts,
  ask: TileAsk,
  name: PlaceName,
): Promise<Result<unknown, WmsFault>> {
  const format = Object.hasOwn(INFO_ENDINGS, name.format) ? INFO_ENDINGS[name.format] : parseInfoFormat(name.format);
  if (format === undefined)
    return err({
      code: 'InvalidParameterValue',
      text: `the format is one of ${INFO_FORMATS.join(', ')}`,
      locator: 'InfoFormat',
    });
  const [i, j] = [placeIn(name.i), placeIn(name.j)];
  if (i === undefined || j === undefined)
    return err({
      code: 'PointIJOutOfRange',
      text: `I and J are whole numbers from 0 to ${TILE_SIZE - 1}`,
      locator: i === undefined ? 'I' : 'J',
    });
  const found = await findTile(parts, ask, name);
  if (!found.ok) return found;
  ask.reply.header('Cache-Control', 'private, no-cache').header('Vary', 'Authorization, Cookie');
  const place = {
    view: makeView(WEB_MERCATOR, tileBounds(found.value.tile), TILE_SIZE, TILE_SIZE),
    x: i + 0.5,
    y: j + 0.5,
    buffer: name.buffer,
    count: name.count,
    time: undefined,
  };
  const language = languageFor(undefined, ask.request.headers['accept-language']);
  return sendInfo(parts, ask, [{ ...found.value, filter: name.filter?.filter }], format, place, language);
}

function placeIn(text: string): number | undefined {
  const place = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return place < TILE_SIZE ? place : undefined;
}
