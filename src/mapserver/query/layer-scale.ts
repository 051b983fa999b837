// How large a pixel is in a layer's own coordinate system. Pure.

import { tileSpan, WORLD_HALF } from '../../geo/tile.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';

/** Units across a tile. */
export const EXTENT = 4096;
/** Of these units: MapLibre draws a tile 512 pixels wide. */
export const PIXEL = 8;

/** Degrees on the common datums; what is not here is transformed as it is. */
const GEOGRAPHIC: ReadonlySet<number> = new Set([4326, 4258, 4269, 4267, 4283, 7844, 4674, 4171, 4979, 4230, 4314]);

export function isGeographic({ srid }: Pick<VectorLayer, 'srid'>): boolean {
  return GEOGRAPHIC.has(srid);
}

/** A pixel of a tile of that zoom in the units of the layer's system. */
export function nativePixel(layer: VectorLayer, zoom: number): number {
  const metres = (PIXEL * tileSpan(zoom)) / EXTENT;
  if (layer.srid === 3857) return metres;
  const { extent } = layer;
  const degrees = (metres * 180) / WORLD_HALF;
  if (isGeographic(layer) || extent === undefined) return degrees;
  const width = extent.wgs84[2] - extent.wgs84[0];
  // The scale between the two extents; a layer of one place has none, and metres are the best guess.
  return width > 1e-9 ? (degrees * (extent.native[2] - extent.native[0])) / width : metres;
}
