// The style of a layer that came without one: by the kind of its geometry, as MapLibre layers and as SLD made of them.

import { defaultLayers, type LookKind } from '../../../geo/style/default-layers.ts';
import { writeSld } from '../../../geo/style/write-sld.ts';

export type LayerStyle = { readonly sld: string; readonly title: string; readonly maplibre: unknown };

export function lookKind(geometry: string): LookKind {
  switch (geometry) {
    case 'Point':
    case 'MultiPoint':
      return 'point';
    case 'LineString':
    case 'MultiLineString':
      return 'line';
    // Of tables that are registered as they are.
    case 'Polygon':
    case 'MultiPolygon':
      return 'polygon';
    default:
      return 'mixed';
  }
}

export function defaultStyle(layer: {
  readonly name: string;
  readonly title: string;
  readonly kind: LookKind;
  /** The zoom from which on features stand apart. */
  readonly crowd: number | undefined;
}): LayerStyle {
  const { name, title, kind, crowd } = layer;
  const layers = defaultLayers(kind, name, crowd);
  return { title, sld: writeSld(layers, { layer: name, style: name, title }), maplibre: layers };
}
