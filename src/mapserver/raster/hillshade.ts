// Hillshade: how bright a slope of a height model is, lit from a side, by Horn's method over the eight neighbours of a pixel. Pure.

import type { Hillshade } from '../../geo/style/style-layer.ts';
import type { Stage } from '../../kernel/in-slices.ts';

type Numbers = ArrayLike<number>;

/** Metres of a degree along a meridian. */
const DEGREE_M = 111_320;

/**
 * Brightness of every pixel, 0 to 1; NaN where there is no height. `cell`: width and height of a pixel in units of the raster's system;
 * in degrees they are taken for metres at the latitude of each row.
 */
export function* hillshade(
  heights: Numbers,
  size: readonly [width: number, height: number],
  cell: { readonly width: number; readonly height: number; readonly isDegrees: boolean; readonly top: number },
  light: Hillshade,
  isNothing: (value: number) => boolean,
): Stage<Float32Array> {
  const [width, height] = size;
  const out = new Float32Array(width * height);
  const zenith = ((90 - light.altitude) * Math.PI) / 180;
  // From the north clockwise → from the east counter-clockwise.
  const azimuth = ((450 - light.azimuth) % 360) * (Math.PI / 180);
  const [lightX, lightY, lightZ] = [
    Math.sin(zenith) * Math.cos(azimuth),
    Math.sin(zenith) * Math.sin(azimuth),
    Math.cos(zenith),
  ];
  for (let row = 0; row < height; row++) {
    const latitude = cell.top - (row + 0.5) * cell.height;
    const across = cell.isDegrees
      ? cell.width * DEGREE_M * Math.max(0.01, Math.cos((latitude * Math.PI) / 180))
      : cell.width;
    const down = cell.isDegrees ? cell.height * DEGREE_M : cell.height;
    for (let column = 0; column < width; column++) {
      const middle = heights[row * width + column] ?? Number.NaN;
      if (isNothing(middle)) {
        out[row * width + column] = Number.NaN;
        continue;
      }
      const at = (dc: number, dr: number): number => {
        const c = Math.max(0, Math.min(width - 1, column + dc));
        const r = Math.max(0, Math.min(height - 1, row + dr));
        const value = heights[r * width + c] ?? Number.NaN;
        return isNothing(value) ? middle : value;
      };
      const east = at(1, -1) + 2 * at(1, 0) + at(1, 1);
      const west = at(-1, -1) + 2 * at(-1, 0) + at(-1, 1);
      const north = at(-1, -1) + 2 * at(0, -1) + at(1, -1);
      const south = at(-1, 1) + 2 * at(0, 1) + at(1, 1);
      const dx = ((east - west) / (8 * across)) * light.exaggeration;
      const dy = ((north - south) / (8 * down)) * light.exaggeration;
      const shade = (lightZ - dx * lightX - dy * lightY) / Math.sqrt(1 + dx * dx + dy * dy);
      out[row * width + column] = Math.max(0, Math.min(1, shade));
    }
    yield;
  }
  return out;
}
