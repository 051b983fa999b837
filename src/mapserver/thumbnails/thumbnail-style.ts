// The style of a layer → the same for a picture that is shown at half its size or less: symbols and lines large enough to be seen there,
// and finer where they are many. Pure.

import type { CompiledStyle, DrawLayer, Scope } from '../render/compile-style.ts';
import { isShown } from '../render/draw.ts';
import type { MapLayer } from '../render/render-map.ts';

/** Of few features, and of so many that they cover each other. */
const [LARGEST, SMALLEST] = [1.7, 0.5];
/** Up to so many are few. */
const FEW = 200;

export function thumbnailStyle({ layer, style }: MapLayer, zoom: number): CompiledStyle {
  const rows = layer.kind === 'vector' ? Math.max(FEW, layer.estimatedRows) : FEW;
  const factor = Math.max(SMALLEST, LARGEST * Math.sqrt(FEW / rows));
  // A look that is meant for nearer by is better than none.
  const isHidden = !style.layers.some((one) => isShown(one, zoom));
  return {
    ...style,
    layers: style.layers.map((one) => enlarge(isHidden ? always(one) : one, factor)),
    reach: style.reach * factor,
  };
}

function always<T extends DrawLayer>(layer: T): T {
  return { ...layer, minzoom: Number.NEGATIVE_INFINITY, maxzoom: Number.POSITIVE_INFINITY };
}

function enlarge(layer: DrawLayer, factor: number): DrawLayer {
  const larger =
    (size: (scope: Scope) => number): ((scope: Scope) => number) =>
    (scope) =>
      size(scope) * factor;
  switch (layer.type) {
    case 'line':
      return { ...layer, width: larger(layer.width), offset: larger(layer.offset) };
    case 'circle':
      return { ...layer, radius: larger(layer.radius), strokeWidth: larger(layer.strokeWidth) };
    case 'symbol':
      return { ...layer, size: larger(layer.size), haloWidth: larger(layer.haloWidth) };
    case 'fill':
    case 'raster':
      return layer;
  }
}
