// Tiles as they came → what is drawn of them: shapes, or pictures. Bounded, and whole before anything is drawn.

import { loadImage } from '@napi-rs/canvas';
import { inSlices } from '../../kernel/in-slices.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { pictureSize } from '../thumbnails/picture-size.ts';
import { type PictureTile, readShapes, type Sheet, type SourceTiles, type TileBytes } from './draw-sheets.ts';

type Pictures = Extract<SourceTiles, { kind: 'pictures' }>;

const MAX_TILE_PIXELS = 1024 * 1024;

/** Of those layers that sheets are drawn from. */
export async function shapesOf(
  tiles: readonly TileBytes[],
  sheets: readonly Sheet[],
  source: string,
): Promise<Result<SourceTiles, string>> {
  const names = new Set(
    sheets.flatMap((sheet) => (sheet.kind === 'shapes' && sheet.source === source ? [sheet.layer] : [])),
  );
  try {
    return ok(await inSlices(readShapes(tiles, names)));
  } catch (error) {
    return err(`has a tile that cannot be read (${error instanceof Error ? error.message : 'unknown'})`);
  }
}

export async function picturesOf(tiles: readonly TileBytes[]): Promise<Result<Pictures, string>> {
  const pictures: PictureTile[] = [];
  for (const { bytes, box } of tiles) {
    const size = pictureSize(bytes);
    const isFine = size !== undefined && size.width * size.height <= MAX_TILE_PIXELS;
    const picture = isFine ? await loadImage(bytes).catch(() => undefined) : undefined;
    if (picture === undefined) return err('has a tile that is no PNG, JPEG, GIF or WebP of up to a million pixels');
    pictures.push({ picture, box });
  }
  return ok({ kind: 'pictures', tiles: pictures });
}
