// Maps of the viewer ⇄ the configuration that the viewer store keeps. Read from whatever is there: it may have been written by
// another client, or by nobody we know. Pure.

import type { StyleLayer } from '../map/drawn.ts';

type MapLayer = {
  /** `workspace:name`; finds the layer in the catalogue. */
  readonly alternate: string;
  readonly title: string;
  readonly visible: boolean;
  readonly opacity: number;
  /** Name of a style of the layer; undefined: its default. */
  readonly style: string | undefined;
  /** The map's own style of it, whatever styles the layer has. */
  readonly own: readonly StyleLayer[] | undefined;
};
export type Bookmark = { readonly name: string; readonly center: readonly [number, number]; readonly zoom: number };
export type MapConfig = {
  readonly center: readonly [number, number];
  readonly zoom: number;
  /** From the top to the bottom. */
  readonly layers: readonly MapLayer[];
  readonly bookmarks: readonly Bookmark[];
  /** Its id; undefined: the usual one. */
  readonly basemap: string | undefined;
};

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const within = (value: unknown, min: number, max: number, usual: number): number => {
  const n = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof n === 'number' && Number.isFinite(n) ? Math.min(max, Math.max(min, n)) : usual;
};

const BASEMAP = 'survest:basemap';
/** Where a layer of the configuration has the map's own style. */
const OWN_STYLE = 'survest:style';
const MAX_STYLE_LAYERS = 500;
const MERCATOR_M = 20_037_508.342789244;

export function parseMapConfig(data: unknown): MapConfig {
  const whole = isObject(data) ? data : {};
  const map = isObject(whole['map']) ? whole['map'] : whole;
  const center = isObject(map['center']) ? map['center'] : {};
  const layers = Array.isArray(map['layers']) ? map['layers'].filter(isObject) : [];
  const bookmarks = Array.isArray(map['bookmarks']) ? map['bookmarks'].filter(isObject) : [];
  return {
    center: parseCenter(center, map['projection']),
    zoom: within(map['zoom'], 0, 22, 1),
    layers: layers
      .filter((layer) => layer['group'] !== 'background' && text(layer['name']) !== undefined)
      .map((layer) => ({
        alternate: text(layer['name']) ?? '',
        title: text(layer['title']) ?? text(layer['name']) ?? '',
        visible: layer['visibility'] !== false,
        opacity: within(layer['opacity'], 0, 1, 1),
        style: text(layer['style']),
        own: ownStyle(layer[OWN_STYLE]),
      }))
      // Kept from the bottom up, as map servers do.
      .reverse(),
    basemap: text(map[BASEMAP]),
    bookmarks: bookmarks.flatMap((one) => {
      const name = text(one['name']);
      const at = isObject(one['center']) ? one['center'] : {};
      return name === undefined
        ? []
        : [{ name, center: parseCenter(at, undefined), zoom: within(one['zoom'], 0, 22, 1) }];
    }),
  };
}

/** A list of MapLibre layers; anything else is none. */
function ownStyle(value: unknown): readonly StyleLayer[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_STYLE_LAYERS) return undefined;
  const isLayer = (one: unknown): one is StyleLayer =>
    isObject(one) && text(one['id']) !== undefined && text(one['type']) !== undefined;
  return value.every(isLayer) ? value : undefined;
}

/** Degrees, or metres of the map's projection. */
function parseCenter(center: Json, projection: unknown): readonly [number, number] {
  const [x, y] = [within(center['x'], -1e9, 1e9, 0), within(center['y'], -1e9, 1e9, 0)];
  const isMetres = (text(center['crs']) ?? text(projection)) === 'EPSG:3857' && (Math.abs(x) > 180 || Math.abs(y) > 90);
  if (!isMetres) return [within(x, -180, 180, 0), within(y, -85, 85, 0)];
  const lat = (Math.atan(Math.sinh((y / MERCATOR_M) * Math.PI)) * 180) / Math.PI;
  return [within((x / MERCATOR_M) * 180, -180, 180, 0), within(lat, -85, 85, 0)];
}

export function mapConfigData(config: MapConfig): unknown {
  const [x, y] = config.center;
  return {
    version: 2,
    map: {
      center: { x, y, crs: 'EPSG:4326' },
      zoom: Math.round(config.zoom * 100) / 100,
      projection: 'EPSG:3857',
      units: 'm',
      maxExtent: [-MERCATOR_M, -MERCATOR_M, MERCATOR_M, MERCATOR_M],
      layers: [...config.layers].reverse().map(({ alternate, title, visible, opacity, style, own }) => ({
        type: 'wms',
        url: '/wms',
        name: alternate,
        title,
        visibility: visible,
        opacity,
        format: 'image/png',
        ...(style === undefined ? {} : { style }),
        ...(own === undefined ? {} : { [OWN_STYLE]: own }),
      })),
      ...(config.basemap === undefined ? {} : { [BASEMAP]: config.basemap }),
      groups: [],
      bookmarks: config.bookmarks.map(({ name, center: [lng, lat], zoom }) => ({
        name,
        center: { x: lng, y: lat, crs: 'EPSG:4326' },
        zoom,
      })),
    },
  };
}
