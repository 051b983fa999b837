// Symbol sizes by zoom and density. A layer has a zoom at which its features stand apart; below it symbols shrink and halos and outlines
// fade, so that the densest part of a layer shows its own colours. Written as MapLibre expressions, read back for the style editor. Pure.

import type { Json } from './style-layer.ts';

type Box = readonly [number, number, number, number];

/** Pixels between neighbours from which on they are told apart. */
const APART = 16;
const WORLD_PIXELS = 512;
const HIGHEST = 85.0511;
/** Zooms below and above that zoom between which sizes grow. */
const HALF_SPAN = 2;

/** Fewer are no crowd, wherever they are. */
const FEW = 500;

/** The zoom at which so many features in a box (in degrees) stand apart, if they lie evenly; undefined: few, or nobody knows how many. */
export function crowdZoom(rows: number, [west, south, east, north]: Box): number | undefined {
  if (!(rows >= FEW)) return undefined;
  const row = (latitude: number): number => {
    const angle = (Math.max(-HIGHEST, Math.min(HIGHEST, latitude)) * Math.PI) / 180;
    return Math.log(Math.tan(Math.PI / 4 + angle / 2)) / (2 * Math.PI);
  };
  const [width, height] = [((east - west) / 360) * WORLD_PIXELS, (row(north) - row(south)) * WORLD_PIXELS];
  // Features in a row have an extent without height.
  const area = Math.max(width, height / 100, 1e-9) * Math.max(height, width / 100, 1e-9);
  const zoom = Math.log2(APART / Math.sqrt(area / rows));
  return Math.min(18, Math.max(-4, Math.round(zoom * 2) / 2));
}

/** From `small` at the overview to `large` near by; where all stand apart at every zoom plainly `large`. */
export function byZoom(crowd: number | undefined, small: number, large: number): Json {
  if (crowd === undefined || crowd + HALF_SPAN <= 0 || small === large) return large;
  return ['interpolate', ['linear'], ['zoom'], crowd - HALF_SPAN, small, crowd + HALF_SPAN, large];
}

export type Sized = { readonly large: number; readonly crowd: number | undefined };

/** What `byZoom` wrote; undefined: made by other means. */
export function readByZoom(value: unknown): Sized | undefined {
  if (typeof value === 'number') return { large: value, crowd: undefined };
  if (!Array.isArray(value) || value.length !== 7) return undefined;
  const [name, , input, low, , high, large] = value as readonly unknown[];
  if (name !== 'interpolate' || JSON.stringify(input) !== '["zoom"]') return undefined;
  if (typeof low !== 'number' || typeof high !== 'number' || typeof large !== 'number') return undefined;
  return high - low === 2 * HALF_SPAN ? { large, crowd: high - HALF_SPAN } : undefined;
}

/** A property as it is near by: the last output of what follows the zoom. */
export function nearBy(value: Json): Json {
  if (!Array.isArray(value)) return value;
  const [name, first, second] = value as readonly Json[];
  const input = name === 'interpolate' ? second : name === 'step' ? first : undefined;
  return JSON.stringify(input) === '["zoom"]' ? (value.at(-1) ?? value) : value;
}

/** Radius of points at the overview, and width of lines. */
export const SMALL_RADIUS = 1.5;
export const SMALL_WIDTH = 0.75;
