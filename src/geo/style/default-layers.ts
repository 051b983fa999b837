// The look of a layer nobody has styled, and looks that follow a column: categories with a colour each, classes of a number with
// a ramp. Pure; which values and breaks there are is asked elsewhere.

import { formatColor, mixColors, parseColor, type Rgba } from './color.ts';
import { NO_VALUE, numberIn, orNone } from './no-value.ts';
import type { Json, JsonObject, StyleLayer } from './style-layer.ts';
import { byZoom, SMALL_RADIUS, SMALL_WIDTH } from './zoom-sizes.ts';

export type LookKind = 'point' | 'line' | 'polygon' | 'mixed' | 'raster';

const COLOURS = ['#1f78b4', '#33a02c', '#e31a1c', '#ff7f00', '#6a3d9a', '#b15928', '#008080', '#c51b7d'] as const;

/**
 * One colour for everything; it follows from the name, so that two new layers on a map can be told apart. `crowd`, here and below: the zoom
 * from which on features stand apart.
 */
export function defaultLayers(kind: LookKind, name: string, crowd?: number): readonly StyleLayer[] {
  let hash = 0;
  for (const char of name) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return layersOf(kind, COLOURS[hash % COLOURS.length] ?? COLOURS[0], crowd);
}

/** A colour for each value; the last is for all others, and those without a value have their own. */
export function categoryLayers(
  kind: LookKind,
  column: string,
  values: readonly (string | number)[],
  crowd?: number,
): readonly StyleLayer[] {
  const pairs = values.flatMap((value, i): Json[] => [value, wheel(i, values.length)]);
  const look: Json =
    pairs.length === 0 ? '#808080' : orNone(column, ['match', ['get', column], ...pairs, '#808080'], NO_VALUE);
  return layersOf(kind, look, crowd);
}

export type RampName = 'blues' | 'reds' | 'greens' | 'viridis' | 'spectral';

const RAMPS: Readonly<Record<RampName, readonly string[]>> = {
  blues: ['#eff3ff', '#9ecae1', '#3182bd', '#08306b'],
  reds: ['#fee5d9', '#fc9272', '#de2d26', '#67000d'],
  greens: ['#edf8e9', '#a1d99b', '#31a354', '#00441b'],
  viridis: ['#440154', '#3b528b', '#21918c', '#5ec962', '#fde725'],
  spectral: ['#d7191c', '#fdae61', '#ffffbf', '#abdda4', '#2b83ba'],
};

export const RAMP_NAMES: readonly RampName[] = ['blues', 'reds', 'greens', 'viridis', 'spectral'];

/** A colour for each class; `breaks` are the borders between them, ascending. */
export function graduatedLayers(
  kind: LookKind,
  column: string,
  breaks: readonly number[],
  ramp: RampName = 'blues',
  crowd?: number,
): readonly StyleLayer[] {
  const colors = Array.from({ length: breaks.length + 1 }, (_, i) =>
    rampColor(ramp, breaks.length === 0 ? 0.5 : i / breaks.length),
  );
  const steps = breaks.flatMap((edge, i): Json[] => [edge, colors[i + 1] ?? '#808080']);
  // Where there is no number there is no class.
  const look: Json =
    steps.length === 0
      ? (colors[0] ?? '#808080')
      : orNone(column, ['step', numberIn(column), colors[0] ?? '#808080', ...steps], NO_VALUE);
  return layersOf(kind, look, crowd);
}

/** The colour at a place of the ramp, 0 to 1. */
function rampColor(name: RampName, place: number): string {
  const colors = RAMPS[name].map((color): Rgba => parseColor(color) ?? [128, 128, 128, 1]);
  const at = Math.min(1, Math.max(0, place)) * (colors.length - 1);
  const low = Math.min(Math.floor(at), colors.length - 2);
  const [from, to] = [colors[low], colors[low + 1]];
  return from === undefined || to === undefined ? '#808080' : formatColor(mixColors(from, to, at - low));
}

/** Colours as far from each other as the circle allows. */
function wheel(i: number, count: number): string {
  if (count <= COLOURS.length) return COLOURS[i] ?? '#808080';
  const [red, green, blue] = parseColor(`hsl(${Math.round((i * 360) / count)}, 65%, ${i % 2 === 0 ? 45 : 60}%)`) ?? [
    128, 128, 128, 1,
  ];
  return formatColor([red, green, blue, 1]);
}

function layersOf(kind: LookKind, color: Json, crowd: number | undefined): readonly StyleLayer[] {
  const fill: StyleLayer = { id: 'fill', type: 'fill', paint: { 'fill-color': color, 'fill-opacity': 0.5 } };
  const faded = byZoom(crowd, 0, 1);
  const outline: StyleLayer = {
    id: 'outline',
    type: 'line',
    paint: { 'line-color': color, 'line-width': 1, ...(faded === 1 ? {} : { 'line-opacity': faded }) },
  };
  const line: StyleLayer = {
    id: 'line',
    type: 'line',
    paint: { 'line-color': color, 'line-width': byZoom(crowd, SMALL_WIDTH, 2) },
  };
  const circlePaint: JsonObject = {
    'circle-color': color,
    'circle-radius': byZoom(crowd, SMALL_RADIUS, 4),
    'circle-stroke-color': '#ffffff',
    'circle-stroke-width': byZoom(crowd, 0, 1),
  };
  const circle: StyleLayer = { id: 'circle', type: 'circle', paint: circlePaint };
  const only = (layer: StyleLayer, type: string): StyleLayer => ({ ...layer, filter: ['==', ['geometry-type'], type] });
  switch (kind) {
    case 'point':
      return [circle];
    case 'line':
      return [line];
    case 'polygon':
      return [fill, outline];
    case 'mixed':
      return [only(fill, 'Polygon'), only(outline, 'Polygon'), only(line, 'LineString'), only(circle, 'Point')];
    case 'raster':
      return [{ id: 'raster', type: 'raster', paint: { 'raster-opacity': 1 } }];
  }
}
