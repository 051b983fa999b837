// A map drawn once, beside the page, in the size and fineness of paper: not what the screen shows, but the same view drawn anew.

import { Map as GlMap, type StyleSpecification } from 'maplibre-gl';
import { tellOrigin } from './tell-origin.ts';

/** A canvas wider or higher than this is refused by many browsers. */
const MAX_PIXELS = 8192;
const PATIENCE_MS = 90_000;

export type PrintedView = {
  readonly style: StyleSpecification;
  readonly center: readonly [number, number];
  readonly zoom: number;
  /** In pixels of a screen. */
  readonly size: readonly [width: number, height: number];
  /** Pixels of the picture to one of a screen. */
  readonly ratio: number;
};

/** Null: it could not be drawn, or not in time. */
export function printPicture({ style, center, zoom, size, ratio }: PrintedView): Promise<Blob | null> {
  const container = document.createElement('div');
  container.className = 'print-map';
  container.style.width = `${size[0]}px`;
  container.style.height = `${size[1]}px`;
  document.body.append(container);
  return new Promise((resolve) => {
    let map: GlMap | undefined;
    const end = (picture: Blob | null): void => {
      window.clearTimeout(late);
      resolve(picture);
      map?.remove();
      container.remove();
    };
    const late = window.setTimeout(() => end(null), PATIENCE_MS);
    try {
      map = new GlMap({
        transformRequest: tellOrigin,
        container,
        style,
        center: [...center] as [number, number],
        zoom,
        interactive: false,
        attributionControl: false,
        fadeDuration: 0,
        pixelRatio: ratio,
        maxCanvasSize: [MAX_PIXELS, MAX_PIXELS],
        canvasContextAttributes: { preserveDrawingBuffer: true },
      });
      map.once('idle', () => map?.getCanvas().toBlob(end, 'image/png'));
    } catch {
      end(null);
    }
  });
}

/** The left one up to this part of the width, the right one from there on. */
export async function sideBySide(left: Blob | null, right: Blob | null, at: number): Promise<Blob | null> {
  if (left === null || right === null) return null;
  const [one, other] = await Promise.all([createImageBitmap(left), createImageBitmap(right)]);
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [one.width, one.height];
  const ink = canvas.getContext('2d');
  if (ink === null) return null;
  const x = Math.round(Math.min(1, Math.max(0, at)) * one.width);
  ink.drawImage(one, 0, 0);
  if (x < one.width) {
    ink.drawImage(other, x, 0, one.width - x, one.height, x, 0, one.width - x, one.height);
    ink.fillStyle = '#ffffff';
    ink.fillRect(x - 1, 0, 3, one.height);
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
