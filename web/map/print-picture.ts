// A map drawn once, beside the page, in the size and fineness of paper: not what the screen shows, but the same view drawn anew.

import { Map as GlMap, type StyleSpecification } from 'maplibre-gl';

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
