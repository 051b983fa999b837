// The legend of a raster whose style names no colours: what its numbers are drawn as all the same. Pure.

import { METADATA, type RampStop, rasterLook, type StyleLayer } from '../../geo/style/style-layer.ts';
import type { RasterSummary } from './raster-reader.ts';

const CHANNELS = ['#ff0000', '#00ff00', '#0000ff'] as const;

/** The style with stops for a legend where it has none of its own. */
export function withLegendStops(style: readonly StyleLayer[], summary: RasterSummary): readonly StyleLayer[] {
  return style.map((layer) => {
    const look = rasterLook(layer);
    if (layer.type !== 'raster' || (look.stops ?? []).length > 0) return layer;
    const asked = look.bands ?? [];
    const stops =
      asked.length >= 3 || (asked.length === 0 && summary.drawn === 'colours')
        ? channelStops(asked.length >= 3 ? asked : [1, 2, 3])
        : summary.drawn === 'palette' && asked.length === 0
          ? []
          : greyStops(look.stretch ?? summary.bands.find(({ band }) => band === (asked[0] ?? 1))?.stretch ?? [0, 255]);
    return { ...layer, metadata: { ...layer.metadata, [METADATA.raster]: { ...look, stops } } } as StyleLayer;
  });
}

function channelStops(bands: readonly number[]): readonly RampStop[] {
  return CHANNELS.map((color, i) => ({ value: i, color, label: `Band ${bands[i] ?? i + 1}` }));
}

function greyStops([low, high]: readonly [number, number]): readonly RampStop[] {
  return [0, 0.5, 1].map((share) => {
    const level = Math.round(share * 255)
      .toString(16)
      .padStart(2, '0');
    return {
      value: low + (high - low) * share,
      color: `#${level}${level}${level}`,
      label: shortNumber(low + (high - low) * share),
    };
  });
}

function shortNumber(n: number): string {
  return String(Number(n.toPrecision(4)));
}
