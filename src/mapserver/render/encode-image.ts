// A canvas → the bytes of a picture. Encoded off the main thread.

import type { Canvas } from '@napi-rs/canvas';

export type ImageFormat = 'png' | 'jpeg' | 'webp';

export const MEDIA_TYPES: Readonly<Record<ImageFormat, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
};

const JPEG_QUALITY = 85;
const WEBP_QUALITY = 85;

export function encodeImage(canvas: Canvas, format: ImageFormat): Promise<Buffer> {
  switch (format) {
    case 'png':
      return canvas.encode('png');
    case 'jpeg':
      return canvas.encode('jpeg', JPEG_QUALITY);
    case 'webp':
      return canvas.encode('webp', WEBP_QUALITY);
  }
}
