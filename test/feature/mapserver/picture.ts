// Pictures in tests: bytes → colours at places.

import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { textOf } from '../../testkit/reply-matcher.ts';

export type Picture = {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, opacity, 0–255. */
  at(x: number, y: number): readonly [number, number, number, number];
  /** How many pixels are close to the colour. */
  count(color: readonly [number, number, number], tolerance?: number): number;
};

export async function pictureOf(reply: Reply): Promise<Picture> {
  const type = reply.headers instanceof Headers ? reply.headers.get('content-type') : reply.headers['content-type'];
  if (reply.status !== 200 || !String(type).startsWith('image/'))
    throw new Error(`no picture: ${reply.status} ${textOf(reply.body).slice(0, 2000)}`);
  return decodePicture(reply.body as Buffer);
}

export async function decodePicture(bytes: Uint8Array): Promise<Picture> {
  const image = await loadImage(bytes);
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const at: Picture['at'] = (x, y) => {
    const i = (y * image.width + x) * 4;
    return [data[i] ?? -1, data[i + 1] ?? -1, data[i + 2] ?? -1, data[i + 3] ?? -1];
  };
  return {
    width: image.width,
    height: image.height,
    at,
    count([red, green, blue], tolerance = 12) {
      let found = 0;
      for (let i = 0; i < data.length; i += 4) {
        const near = (value: number | undefined, wanted: number): boolean =>
          Math.abs((value ?? 0) - wanted) <= tolerance;
        if (near(data[i], red) && near(data[i + 1], green) && near(data[i + 2], blue) && (data[i + 3] ?? 0) > 200)
          found++;
      }
      return found;
    },
  };
}

/** Whether two colours look the same. */
export function isNear(found: readonly number[], wanted: readonly number[], tolerance = 6): boolean {
  return wanted.every((value, i) => Math.abs((found[i] ?? -999) - value) <= tolerance);
}
