// The marks of our styles as a sprite: one picture with all of them side by side, and where each lies, as map viewers load them. White
// signed distance fields, so that `icon-color` and `icon-halo-color` colour them.

import { createCanvas, ImageData, Path2D } from '@napi-rs/canvas';
import { MARKS } from '../../geo/style/style-layer.ts';
import { drawMark } from '../render/draw-mark.ts';
import { signedDistance } from './signed-distance.ts';

/** Of a mark, in pixels of a plain screen. */
const SIZE = 24;
const RADIUS = 8;
const STROKE = 2;

export type SpriteIndex = Readonly<
  Record<
    string,
    {
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly pixelRatio: number;
      readonly sdf: true;
    }
  >
>;

export function spriteIndex(ratio: 1 | 2): SpriteIndex {
  const size = SIZE * ratio;
  return Object.fromEntries(
    MARKS.map(
      (mark, i) => [mark, { x: i * size, y: 0, width: size, height: size, pixelRatio: ratio, sdf: true }] as const,
    ),
  );
}

export async function spritePicture(ratio: 1 | 2): Promise<Buffer> {
  const size = SIZE * ratio;
  const sheet = createCanvas(size * MARKS.length, size);
  for (const [i, mark] of MARKS.entries()) {
    const canvas = createCanvas(size, size);
    const context = canvas.getContext('2d');
    const path = new Path2D();
    drawMark(path, mark, size / 2, size / 2, RADIUS * ratio);
    // The x is two lines.
    context.lineWidth = STROKE * ratio;
    if (mark === 'x') context.stroke(path);
    else context.fill(path);
    const { data } = context.getImageData(0, 0, size, size);
    const field = signedDistance(
      Uint8Array.from({ length: size * size }, (_, n) => data[n * 4 + 3] ?? 0),
      size,
      size,
    );
    const pixels = new Uint8ClampedArray(size * size * 4);
    for (const [n, value] of field.entries()) pixels.set([255, 255, 255, value], n * 4);
    sheet.getContext('2d').putImageData(new ImageData(pixels, size, size), i * size, 0);
  }
  return sheet.encode('png');
}
