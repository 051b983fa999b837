// The style of a layer → the same for a picture that is shown at half its size or less: symbols and lines large enough to be seen there,
// and finer where they are many. Pure.

import type { CompiledStyle, DrawLayer, Scope } from '../render/compile-style.ts';
import { isShown } from '../render/draw.ts';
import type { MapLayer } from '../render/render-map.ts';

/** Of few features, and of so many that they cover each other. */
const [LARGEST, SMALLEST] = [1.7, 0.5];
/** Up to so many are few. */
const FEW = 200;

/** `zoom`: of a picture that is of this layer alone. */
export function thumbnailStyle({ layer, style }: MapLayer, zoom: number | undefined): CompiledStyle {
  const rows = layer.kind === 'vector' ? Math.max(FEW, layer.estimatedRows) : FEW;
  const factor = Math.max(SMALLEST, LARGEST * Math.sqrt(FEW / rows));
  // A look that is meant for nearer by is better than none.
  const isHidden = zoom !== undefined && !style.layers.some((one) => isShown(one, zoom));
  return {
    ...style,
    layers: style.layers.map((one) => enlarge(isHidden ? always(one) : one, factor)),
    reach: style.reach * Math.max(1, factor),
  };
}

function always<T extends DrawLayer>(layer: T): T {
  return { ...layer, minzoom: Number.NEGATIVE_INFINITY, maxzoom: Number.POSITIVE_INFINITY };
}

function enlarge(layer: DrawLayer, factor: number): DrawLayer {
  // What is small grows, but not beyond what can be seen well; what is large enough stays as it is.
  const sized =
    (size: (scope: Scope) => number, enough: number): ((scope: Scope) => number) =>
    (scope) => {
      const plain = size(scope);
      return factor < 1 ? plain * factor : Math.max(plain, Math.min(plain * factor, enough));
    };
  switch (layer.type) {
    case 'line':
      return { ...layer, width: sized(layer.width, 3.5) };
    case 'circle':
      return { ...layer, radius: sized(layer.radius, 7), strokeWidth: sized(layer.strokeWidth, 2) };
    case 'symbol':
      return { ...layer, size: sized(layer.size, 20), haloWidth: sized(layer.haloWidth, 2) };
    case 'fill':
    case 'heatmap':
    case 'raster':
      return layer;
  }
}
