// Draws tiles that are pictures, and nothing else.

import type { SKRSContext2D } from '@napi-rs/canvas';
import type { View } from '../../geo/view.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { drawPictures, fillBox, GROUND, type TileBytes } from './draw-sheets.ts';
import { picturesOf } from './tile-contents.ts';

/** `nothing`: the basemap has no tile in the view. */
export type Drawn = Result<'drawn' | 'nothing', string>;

export async function drawPicturesAlone(
  context: SKRSContext2D,
  view: View,
  tiles: readonly TileBytes[],
): Promise<Drawn> {
  const pictures = await picturesOf(tiles);
  if (!pictures.ok) return pictures;
  fillBox(context, [0, 0, view.width, view.height], GROUND);
  drawPictures(context, pictures.value.tiles, 1);
  return ok('drawn');
}
