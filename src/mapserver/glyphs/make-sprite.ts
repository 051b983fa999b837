// The marks of our styles (shapes and icons) as a sprite: one picture with all of them side by side, and where each lies, as map viewers load them. White
// signed distance fields, so that `icon-color` and `icon-halo-color` colour them.

import { createCanvas, ImageData, Path2D, type SKRSContext2D } from '@napi-rs/canvas';
import { ICON_NAMES, ICON_RADIUS, ICONS } from '../../geo/style/icons.ts';
import { SHAPES } from '../../geo/style/style-layer.ts';
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

/** Icons have finer parts than shapes: in both sheets they have two pixels for one of the screen. Rows of so many, below the shapes. */
const ICON_RATIO = 2;
const ICONS_PER_ROW = 10;

export function spriteIndex(ratio: 1 | 2): SpriteIndex {
  const size = SIZE * ratio;
  const fine = SIZE * ICON_RATIO;
  const square = (x: number, y: number, width: number, pixelRatio: number): SpriteIndex[string] => ({
    x,
    y,
    width,
    height: width,
    pixelRatio,
    sdf: true,
  });
  return Object.fromEntries([
    ...SHAPES.map((mark, i) => [mark, square(i * size, 0, size, ratio)] as const),
    ...ICON_NAMES.map((name, i) => {
      const [column, row] = [i % ICONS_PER_ROW, Math.floor(i / ICONS_PER_ROW)];
      return [name, square(column * fine, size + row * fine, fine, ICON_RATIO)] as const;
    }),
  ]);
}

export async function spritePicture(ratio: 1 | 2): Promise<Buffer> {
  const index = spriteIndex(ratio);
  const places = Object.values(index);
  const sheet = createCanvas(
    Math.max(...places.map(({ x, width }) => x + width)),
    Math.max(...places.map(({ y, height }) => y + height)),
  );
  const put = (name: string, draw: (context: SKRSContext2D, size: number) => void): void => {
    const place = index[name];
    if (place === undefined) return;
    const size = place.width;
    const canvas = createCanvas(size, size);
    const context = canvas.getContext('2d');
    draw(context, size);
    const { data } = context.getImageData(0, 0, size, size);
    const field = signedDistance(
      Uint8Array.from({ length: size * size }, (_, n) => data[n * 4 + 3] ?? 0),
      size,
      size,
    );
    const pixels = new Uint8ClampedArray(size * size * 4);
    for (const [n, value] of field.entries()) pixels.set([255, 255, 255, value], n * 4);
    sheet.getContext('2d').putImageData(new ImageData(pixels, size, size), place.x, place.y);
  };
  for (const mark of SHAPES)
    put(mark, (context, size) => {
      const path = new Path2D();
      drawMark(path, mark, size / 2, size / 2, RADIUS * ratio);
      // The x is two lines.
      context.lineWidth = STROKE * ratio;
      if (mark === 'x') context.stroke(path);
      else context.fill(path);
    });
  for (const name of ICON_NAMES)
    put(name, (context, size) => {
      const scale = (RADIUS * ICON_RATIO) / ICON_RADIUS;
      context.translate(size / 2 - RADIUS * ICON_RATIO, size / 2 - RADIUS * ICON_RATIO);
      context.scale(scale, scale);
      context.fill(new Path2D(ICONS[name]), 'evenodd');
    });
  return sheet.encode('png');
}
