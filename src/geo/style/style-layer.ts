// A style is a list of MapLibre layers without their sources: what is stored, what viewers get, what our renderer draws and what
// becomes SLD. Outside data → checked layers; what cannot be drawn is refused with the place where it stands.

import { isExactNumber } from '../../kernel/long-number.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { parseColor } from './color.ts';
import { compileExpression, compileFilter } from './expression.ts';
import { groupKey, groupOf, parseGroup } from './group.ts';
import { ICON_NAMES, type IconName } from './icons.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

type StyleLayerType = 'fill' | 'line' | 'circle' | 'heatmap' | 'symbol' | 'raster';

export type StyleLayer = {
  readonly id: string;
  readonly type: StyleLayerType;
  /** Shown from this zoom of the viewer on … */
  readonly minzoom?: number;
  /** … and below this one. */
  readonly maxzoom?: number;
  readonly filter?: Json;
  readonly layout?: JsonObject;
  readonly paint?: JsonObject;
  /** What MapLibre does not know: see METADATA. */
  readonly metadata?: JsonObject;
};

/** Names in `metadata` that mean something to us. */
export const METADATA = {
  /** What the legend says. */
  title: 'survest:title',
  /** Shape of a point symbol, drawn by us where MapLibre draws a circle: see Mark. */
  mark: 'survest:mark',
  /** How a raster's numbers become colours: see RasterLook. */
  raster: 'survest:raster',
  /** Draws groups of points instead of the points: see Group. */
  group: 'survest:group',
} as const;

type Shape = 'circle' | 'square' | 'triangle' | 'star' | 'cross' | 'x';
export type Mark = Shape | IconName;
export const SHAPES: readonly Shape[] = ['circle', 'square', 'triangle', 'star', 'cross', 'x'];
export const MARKS: readonly Mark[] = [...SHAPES, ...ICON_NAMES];

export type RampStop = { readonly value: number; readonly color: string; readonly label?: string };

export type RasterLook = {
  /** Bands drawn as red, green and blue, or one of them in grey or by the ramp; the first is 1. */
  readonly bands?: readonly number[];
  /** `ramp`: colours run into each other; `intervals`: up to each value; `values`: exactly these. */
  readonly kind?: 'ramp' | 'intervals' | 'values';
  readonly stops?: readonly RampStop[];
  /** The numbers that are drawn darkest and brightest where there is no ramp. */
  readonly stretch?: readonly [number, number];
  /** Heights lit from a side: as grey, or upon the colours of the ramp. */
  readonly hillshade?: Hillshade;
};

export type Hillshade = {
  /** Where the light comes from: degrees from the north, clockwise; and how high it stands. */
  readonly azimuth: number;
  readonly altitude: number;
  /** How much steeper slopes are drawn than they are. */
  readonly exaggeration: number;
};

/** The ReliefFactor of an SLD that most call natural. */
export const RELIEF = 55;

export type StyleFault = { readonly path: string; readonly message: string };

type Kind = 'color' | 'number' | 'word' | 'numbers' | 'words' | 'text' | 'boolean';

/** The properties we draw; others are kept for the viewer and not looked at. */
export const PROPERTIES: Readonly<Record<string, Kind>> = {
  'fill-color': 'color',
  'fill-opacity': 'number',
  'fill-outline-color': 'color',
  'line-color': 'color',
  'line-opacity': 'number',
  'line-width': 'number',
  'line-offset': 'number',
  'line-dasharray': 'numbers',
  'line-cap': 'word',
  'line-join': 'word',
  'circle-color': 'color',
  'circle-opacity': 'number',
  'circle-radius': 'number',
  'circle-stroke-color': 'color',
  'circle-stroke-opacity': 'number',
  'circle-stroke-width': 'number',
  'heatmap-color': 'color',
  'heatmap-intensity': 'number',
  'heatmap-opacity': 'number',
  'heatmap-radius': 'number',
  'heatmap-weight': 'number',
  'text-field': 'text',
  'text-size': 'number',
  'text-color': 'color',
  'text-opacity': 'number',
  'text-halo-color': 'color',
  'text-halo-width': 'number',
  'text-anchor': 'word',
  'text-offset': 'numbers',
  'text-rotate': 'number',
  'text-font': 'words',
  'text-allow-overlap': 'boolean',
  'symbol-placement': 'word',
  'raster-opacity': 'number',
  visibility: 'word',
};

const TYPES: readonly string[] = ['fill', 'line', 'circle', 'heatmap', 'symbol', 'raster'];
const GROUPED: readonly string[] = ['fill', 'line', 'circle', 'symbol'];
const MAX_LAYERS = 500;
const MAX_ID = 200;
/** Each is asked of the database by itself. */
const MAX_GROUPS = 4;

/** A list of layers, or a whole style document. */
export function parseStyle(input: unknown): Result<readonly StyleLayer[], StyleFault> {
  const list = isObject(input) ? input['layers'] : input;
  if (!Array.isArray(list)) return fault('', 'a style is a list of layers, or an object with "layers"');
  if (list.length > MAX_LAYERS) return fault('layers', `a style has at most ${MAX_LAYERS} layers`);
  const layers: StyleLayer[] = [];
  const ids = new Set<string>();
  for (const [i, item] of list.entries()) {
    const layer = parseLayer(item, `layers[${i}]`);
    if (!layer.ok) return layer;
    if (ids.has(layer.value.id)) return fault(`layers[${i}].id`, `there are two layers "${layer.value.id}"`);
    ids.add(layer.value.id);
    layers.push(layer.value);
  }
  const groups = new Set(layers.flatMap((layer) => groupOf(layer) ?? []).map(groupKey));
  if (groups.size > MAX_GROUPS) return fault('layers', `a style has at most ${MAX_GROUPS} different groups`);
  return ok(layers);
}

function parseLayer(input: unknown, path: string): Result<StyleLayer, StyleFault> {
  if (!isObject(input)) return fault(path, 'a layer is an object');
  const { id, type, minzoom, maxzoom, filter, layout, paint, metadata } = input;
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID) return fault(`${path}.id`, 'a layer needs an id');
  if (typeof type !== 'string' || !TYPES.includes(type))
    return fault(`${path}.type`, `the type of a layer is one of ${TYPES.join(', ')}`);
  for (const [name, zoom] of [
    ['minzoom', minzoom],
    ['maxzoom', maxzoom],
  ] as const) {
    if (zoom !== undefined && (typeof zoom !== 'number' || !(zoom >= -5 && zoom <= 30)))
      return fault(`${path}.${name}`, 'a zoom is a number up to 30');
  }
  for (const [name, part] of [
    ['layout', layout],
    ['paint', paint],
    ['metadata', metadata],
  ] as const) {
    if (part !== undefined && !isObject(part)) return fault(`${path}.${name}`, 'this is an object');
  }
  const group = isObject(metadata) ? metadata[METADATA.group] : undefined;
  const wrong = group === undefined ? undefined : parseGroup(group);
  if (typeof wrong === 'string') return fault(`${path}.metadata["${METADATA.group}"]`, wrong);
  if (wrong !== undefined && !GROUPED.includes(type))
    return fault(`${path}.type`, `groups are drawn by layers of the types ${GROUPED.join(', ')}`);
  if (filter !== undefined && filter !== null) {
    const compiled = compileFilter(filter, `${path}.filter`);
    if (!compiled.ok) return compiled;
  }
  for (const part of ['layout', 'paint'] as const) {
    for (const [name, value] of Object.entries((input[part] ?? {}) as JsonObject)) {
      const wrongValue = checkProperty(name, value, `${path}.${part}.${name}`);
      if (wrongValue !== undefined) return err(wrongValue);
    }
  }
  return ok({
    id,
    type: type as StyleLayerType,
    ...(typeof minzoom === 'number' ? { minzoom } : {}),
    ...(typeof maxzoom === 'number' ? { maxzoom } : {}),
    ...(filter === undefined || filter === null ? {} : { filter: filter as Json }),
    ...(isObject(layout) ? { layout: layout as JsonObject } : {}),
    ...(isObject(paint) ? { paint: paint as JsonObject } : {}),
    ...(isObject(metadata) ? { metadata: metadata as JsonObject } : {}),
  });
}

function checkProperty(name: string, value: unknown, path: string): StyleFault | undefined {
  const kind = Object.hasOwn(PROPERTIES, name) ? PROPERTIES[name] : undefined;
  if (kind === undefined || value === null || isPlainList(kind, value)) return undefined;
  const compiled = compileExpression(value, path);
  if (!compiled.ok) return compiled.error;
  if (!compiled.value.isConstant) return undefined;
  return fits(kind, compiled.value.run({ properties: {}, geometry: 'Point', zoom: 0 }))
    ? undefined
    : { path, message: `this is not a ${kind}` };
}

/** A dash pattern or a list of fonts is written as it is, without "literal". */
export function isPlainList(kind: Kind, value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  if (kind === 'numbers') return value.every((one) => typeof one === 'number');
  return kind === 'words' && value.every((one) => typeof one === 'string') && value[0] !== 'literal';
}

function fits(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case 'color':
      return typeof value === 'string' && parseColor(value) !== undefined;
    case 'number':
      return isExactNumber(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'word':
      return typeof value === 'string';
    case 'text':
      return typeof value === 'string' || isExactNumber(value) || value === undefined;
    case 'numbers':
      return Array.isArray(value) && value.every((one) => typeof one === 'number');
    case 'words':
      return Array.isArray(value) && value.every((one) => typeof one === 'string');
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fault(path: string, message: string): Result<never, StyleFault> {
  return err({ path, message });
}

/** The look of a raster, as far as it is one. */
export function rasterLook(layer: StyleLayer): RasterLook {
  const raw = layer.metadata?.[METADATA.raster];
  if (!isObject(raw)) return {};
  const { bands, kind, stops, stretch, hillshade } = raw;
  const parsed: RampStop[] = [];
  if (Array.isArray(stops)) {
    for (const stop of stops as unknown[]) {
      if (!isObject(stop) || typeof stop['value'] !== 'number' || typeof stop['color'] !== 'string') continue;
      const label = stop['label'];
      parsed.push({ value: stop['value'], color: stop['color'], ...(typeof label === 'string' ? { label } : {}) });
    }
  }
  return {
    ...(Array.isArray(bands) && bands.every((band) => Number.isInteger(band)) ? { bands: bands as number[] } : {}),
    ...(kind === 'ramp' || kind === 'intervals' || kind === 'values' ? { kind } : {}),
    ...(parsed.length > 0 ? { stops: parsed } : {}),
    ...(Array.isArray(stretch) && stretch.length === 2 && stretch.every((one) => typeof one === 'number')
      ? { stretch: stretch as unknown as readonly [number, number] }
      : {}),
    ...(isObject(hillshade) ? { hillshade: parseHillshade(hillshade) } : {}),
  };
}

function parseHillshade(raw: Readonly<Record<string, unknown>>): Hillshade {
  const within = (value: unknown, low: number, high: number, usual: number): number =>
    typeof value === 'number' && value >= low && value <= high ? value : usual;
  return {
    azimuth: within(raw['azimuth'], 0, 360, 315),
    altitude: within(raw['altitude'], 0, 90, 45),
    exaggeration: within(raw['exaggeration'], 0.01, 1000, 1),
  };
}
