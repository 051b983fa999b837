// The look of a raster → a function from its numbers at a pixel to a colour. Undefined is what is not there.

import { parseColor, type Rgba } from '../../geo/style/color.ts';
import type { RasterLook } from '../../geo/style/style-layer.ts';
import type { OpenRaster } from './open-raster.ts';

export type RasterColors = {
  /** Bands that are needed, from 0. */
  readonly bands: readonly number[];
  /** Numbers that stand between others can be calculated; those that are names cannot. */
  readonly isSmooth: boolean;
  /** One band in grey: with a hillshade, only the light of it is drawn. */
  readonly isPlainGrey?: boolean;
  /** Writes four bytes; the values are in the order of `bands`. */
  readonly paint: (values: ArrayLike<number>, out: Uint8ClampedArray, at: number) => void;
};

type Paint = RasterColors['paint'];

export async function rasterColors(raster: OpenRaster, look: RasterLook): Promise<RasterColors> {
  const exists = (band: number): boolean => band >= 1 && band <= raster.bands;
  const asked = (look.bands ?? []).filter(exists).map((band) => band - 1);
  const isNothing = (value: number): boolean => Number.isNaN(value) || value === raster.nodata;
  if (look.stops !== undefined && look.stops.length > 0) {
    const band = asked[0] ?? 0;
    return { bands: [band], isSmooth: (look.kind ?? 'ramp') === 'ramp', paint: rampPaint(look, isNothing) };
  }
  if (raster.palette !== undefined && asked.length === 0)
    return { bands: [0], isSmooth: false, paint: palettePaint(raster.palette, isNothing) };
  const colored = raster.hasAlpha ? raster.bands - 1 : raster.bands;
  const alpha = raster.hasAlpha ? [raster.bands - 1] : [];
  if (asked.length >= 3 || (asked.length === 0 && colored >= 3)) {
    const bands = asked.length >= 3 ? asked.slice(0, 3) : [0, 1, 2];
    const scales = await Promise.all(bands.map((band) => scaleOf(raster, look, band)));
    return { bands: [...bands, ...alpha], isSmooth: true, paint: colorPaint(scales, isNothing, alpha.length > 0) };
  }
  const band = asked[0] ?? 0;
  const scale = await scaleOf(raster, look, band);
  return {
    bands: [band, ...alpha],
    isSmooth: true,
    isPlainGrey: true,
    paint: colorPaint([scale, scale, scale], isNothing, alpha.length > 0, true),
  };
}

type Scale = { readonly low: number; readonly factor: number };

async function scaleOf(raster: OpenRaster, look: RasterLook, band: number): Promise<Scale> {
  const [low, high] = await stretchOf(raster, look, band);
  return { low, factor: 255 / (high - low || 1) };
}

/** The numbers that are drawn darkest and brightest. */
export async function stretchOf(
  raster: OpenRaster,
  look: RasterLook,
  band: number,
): Promise<readonly [number, number]> {
  return look.stretch ?? (raster.isBytes ? [0, 255] : await raster.range(band));
}

/** `isGrey`: one band for all three colours. */
function colorPaint(
  scales: readonly Scale[],
  isNothing: (value: number) => boolean,
  hasAlpha: boolean,
  isGrey = false,
): Paint {
  const count = isGrey ? 1 : 3;
  return (values, out, at) => {
    let nothing = true;
    for (let i = 0; i < count; i++) if (!isNothing(values[i] ?? Number.NaN)) nothing = false;
    if (nothing) {
      out[at + 3] = 0;
      return;
    }
    for (let i = 0; i < 3; i++) {
      const scale = scales[i];
      out[at + i] = scale === undefined ? 0 : ((values[isGrey ? 0 : i] ?? 0) - scale.low) * scale.factor;
    }
    out[at + 3] = hasAlpha ? (values[count] ?? 255) : 255;
  };
}

function palettePaint(palette: Uint8Array, isNothing: (value: number) => boolean): Paint {
  return (values, out, at) => {
    const value = values[0] ?? Number.NaN;
    const i = value * 3;
    if (isNothing(value) || i < 0 || i + 2 >= palette.length) {
      out[at + 3] = 0;
      return;
    }
    out[at] = palette[i] ?? 0;
    out[at + 1] = palette[i + 1] ?? 0;
    out[at + 2] = palette[i + 2] ?? 0;
    out[at + 3] = 255;
  };
}

function rampPaint({ kind = 'ramp', stops = [] }: RasterLook, isNothing: (value: number) => boolean): Paint {
  const values = stops.map((stop) => stop.value);
  const colors = stops.map((stop): Rgba => parseColor(stop.color) ?? [128, 128, 128, 1]);
  const exact = new Map(values.map((value, i) => [value, i]));
  const put = (out: Uint8ClampedArray, at: number, color: Rgba | undefined): void => {
    if (color === undefined) {
      out[at + 3] = 0;
      return;
    }
    out[at] = color[0];
    out[at + 1] = color[1];
    out[at + 2] = color[2];
    out[at + 3] = color[3] * 255;
  };
  return (numbers, out, at) => {
    const value = numbers[0] ?? Number.NaN;
    if (isNothing(value)) {
      out[at + 3] = 0;
      return;
    }
    if (kind === 'values') return put(out, at, colors[exact.get(value) ?? -1]);
    let [low, high] = [0, values.length];
    // The first stop that is larger.
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[middle] ?? 0) > value) high = middle;
      else low = middle + 1;
    }
    // A class reaches up to its number; what is above the last has no colour.
    if (kind === 'intervals') return put(out, at, colors[low]);
    const [before, after] = [colors[low - 1], colors[low]];
    if (before === undefined || after === undefined) return put(out, at, before ?? after);
    const [from = 0, to = 1] = [values[low - 1], values[low]];
    const share = (value - from) / (to - from);
    for (let i = 0; i < 3; i++) out[at + i] = (before[i] ?? 0) + ((after[i] ?? 0) - (before[i] ?? 0)) * share;
    out[at + 3] = 255 * (before[3] + (after[3] - before[3]) * share);
  };
}
