// Maps of the viewer ⇄ the configuration that the viewer store keeps. Read from whatever is there: it may have been written by
// another client, or by nobody we know. Pure.

import { columnLooksData, parseColumnLooks, parsePopup, popupData } from '../../src/geo/presentation/presentation.ts';
import { withNoValue } from '../../src/geo/style/no-value.ts';
import type { StyleLayer } from '../map/drawn.ts';
import { type Annotation, annotationsData, parseAnnotations } from './annotations.ts';
import { type ExternalLayer, parseExternal } from './external-layer.ts';
import { filterCql, type LayerFilter, parseLayerFilter } from './layer-filter.ts';
import { type LayerLook, NO_LOOK } from './presentation.ts';
import { isSameJson } from './same-json.ts';

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
  /** Which of its features the map shows; undefined: all of them. */
  readonly filter: LayerFilter | undefined;
  /** What readers may choose from. */
  readonly controls: readonly FilterControl[];
  /** How the map shows its columns and its pop-up. */
  readonly look: LayerLook;
  /** The id of its group; undefined: it is in none. */
  readonly group: string | undefined;
};
/** A column by which readers narrow down what they see. */
export type FilterControl = { readonly column: string; readonly kind: (typeof CONTROL_KINDS)[number] };
const CONTROL_KINDS = ['choice', 'range', 'date', 'search'] as const;
/** A layer of somebody else's service. */
type MapExternal = {
  readonly external: ExternalLayer;
  readonly visible: boolean;
  readonly opacity: number;
  readonly group: string | undefined;
};
/** Layers that are shown, folded and moved together. */
export type LayerGroup = {
  readonly id: string;
  readonly title: string;
  /** Its layers are listed. */
  readonly isOpen: boolean;
  /** If not, neither are its layers. */
  readonly visible: boolean;
};
export type Bookmark = { readonly name: string; readonly center: readonly [number, number]; readonly zoom: number };
export type MapConfig = {
  readonly center: readonly [number, number];
  readonly zoom: number;
  /** From the top to the bottom. */
  readonly layers: readonly (MapLayer | MapExternal)[];
  readonly groups: readonly LayerGroup[];
  readonly annotations: readonly Annotation[];
  readonly bookmarks: readonly Bookmark[];
  /** Its id; undefined: the usual one. */
  readonly basemap: string | undefined;
  /** Two layers are compared; undefined: none are. */
  readonly swipe: ComparedLayers | undefined;
  /** What its page and frames show beside the map itself. */
  readonly shows: Shows;
};
/** Whether a map that is handed out has each of these. */
export type Shows = Readonly<Record<(typeof SHOWN_PARTS)[number], boolean>>;
export const SHOWN_PARTS = ['title', 'description', 'legend', 'layers', 'search', 'scale', 'credits'] as const;
export const USUAL_SHOWS: Shows = {
  title: true,
  description: false,
  legend: true,
  layers: true,
  search: false,
  scale: true,
  credits: false,
};
/** By their places among the layers, from the top. */
type ComparedLayers = {
  readonly left: number;
  /** Undefined: nothing. */
  readonly right: number | undefined;
  /** Where the divider is, as a part of the width. */
  readonly at: number;
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
const ANNOTATIONS = 'survest:annotations';
const SWIPE = 'survest:swipe';
const SHOWS = 'survest:shows';
/** Where a layer of the configuration has the map's own style. */
const OWN_STYLE = 'survest:style';
/** Which of its features the map shows, in CQL2. */
const FILTER = 'survest:filter';
const CONTROLS = 'survest:controls';
const COLUMNS = 'survest:columns';
const POPUP = 'survest:popup';
const MAX_CONTROLS = 10;
/** Where one of somebody else's service has what is known of it. It has no name, lest it be taken for one of the catalogue. */
const EXTERNAL = 'survest:external';
const MAX_STYLE_LAYERS = 500;
const MAX_GROUPS = 200;
export const MAX_GROUP_TITLE = 200;
const MERCATOR_M = 20_037_508.342789244;

export function parseMapConfig(data: unknown): MapConfig {
  const whole = isObject(data) ? data : {};
  const map = isObject(whole['map']) ? whole['map'] : whole;
  const center = isObject(map['center']) ? map['center'] : {};
  const layers = Array.isArray(map['layers']) ? map['layers'].filter(isObject) : [];
  const bookmarks = Array.isArray(map['bookmarks']) ? map['bookmarks'].filter(isObject) : [];
  const groups = parseGroups(map['groups']);
  const isGroup = new Set<unknown>(groups.map(({ id }) => id));
  return {
    center: parseCenter(center, map['projection']),
    zoom: within(map['zoom'], 0, 22, 1),
    layers: layers
      .flatMap((layer): readonly (MapLayer | MapExternal)[] => {
        const shared = {
          visible: layer['visibility'] !== false,
          opacity: within(layer['opacity'], 0, 1, 1),
          group: isGroup.has(layer['group']) ? text(layer['group']) : undefined,
        };
        const external = parseExternal(layer[EXTERNAL]);
        if (external !== undefined) return [{ ...shared, external }];
        const alternate = text(layer['name']);
        if (alternate === undefined || layer['group'] === 'background') return [];
        return [
          {
            ...shared,
            alternate,
            title: text(layer['title']) ?? alternate,
            style: text(layer['style']),
            own: ownStyle(layer[OWN_STYLE]),
            filter: parseLayerFilter(layer[FILTER]),
            controls: parseControls(layer[CONTROLS]),
            look: parseLook(layer[COLUMNS], layer[POPUP]),
          },
        ];
      })
      // Kept from the bottom up, as map servers do.
      .reverse(),
    groups,
    annotations: parseAnnotations(map[ANNOTATIONS]),
    basemap: text(map[BASEMAP]),
    swipe: parseSwipe(map[SWIPE], layers.length),
    shows: parseShows(map[SHOWS]),
    bookmarks: bookmarks.flatMap((one) => {
      const name = text(one['name']);
      const at = isObject(one['center']) ? one['center'] : {};
      return name === undefined
        ? []
        : [{ name, center: parseCenter(at, undefined), zoom: within(one['zoom'], 0, 22, 1) }];
    }),
  };
}

function parseSwipe(value: unknown, count: number): ComparedLayers | undefined {
  if (!isObject(value)) return undefined;
  const place = (one: unknown): number | undefined =>
    typeof one === 'number' && Number.isInteger(one) && one >= 0 && one < count ? one : undefined;
  const [left, right] = [place(value['left']), place(value['right'])];
  return left === undefined || left === right ? undefined : { left, right, at: within(value['at'], 0, 1, 0.5) };
}

/** The group of layers that are in none, as other viewers call it. */
const NO_GROUP = 'Default';

function parseGroups(value: unknown): readonly LayerGroup[] {
  if (!Array.isArray(value)) return [];
  const groups = value.slice(0, MAX_GROUPS).flatMap((one: unknown): readonly LayerGroup[] => {
    const id = isObject(one) ? text(one['id'])?.slice(0, 255) : undefined;
    if (!isObject(one) || id === undefined || id === NO_GROUP || id === 'background') return [];
    return [
      {
        id,
        title: (text(one['title']) ?? id).slice(0, MAX_GROUP_TITLE),
        isOpen: one['expanded'] !== false,
        visible: one['visibility'] !== false,
      },
    ];
  });
  return groups.filter(({ id }, i) => groups.findIndex((other) => other.id === id) === i);
}

function parseShows(value: unknown): Shows {
  if (!isObject(value)) return USUAL_SHOWS;
  const said = SHOWN_PARTS.flatMap((part) => (typeof value[part] === 'boolean' ? [[part, value[part]] as const] : []));
  return { ...USUAL_SHOWS, ...Object.fromEntries(said) };
}

function parseControls(value: unknown): readonly FilterControl[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_CONTROLS).flatMap((one: unknown): readonly FilterControl[] => {
    const column = isObject(one) ? text(one['column'])?.slice(0, 255) : undefined;
    const kind = isObject(one) ? CONTROL_KINDS.find((known) => known === one['kind']) : undefined;
    return column === undefined || kind === undefined ? [] : [{ column, kind }];
  });
}

/** What cannot be read is as the layer has it. */
function parseLook(columns: unknown, popup: unknown): LayerLook {
  const [looks, shown] = [parseColumnLooks(columns), parsePopup(popup)];
  if (!looks.ok && !shown.ok) return NO_LOOK;
  return { columns: looks.ok ? looks.value : undefined, popup: shown.ok ? shown.value : undefined };
}

/** A list of MapLibre layers; anything else is none. */
function ownStyle(value: unknown): readonly StyleLayer[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_STYLE_LAYERS) return undefined;
  const isLayer = (one: unknown): one is StyleLayer =>
    isObject(one) && text(one['id']) !== undefined && text(one['type']) !== undefined;
  return value.every(isLayer) ? withNoValue(value) : undefined;
}

/** Degrees, or metres of the map's projection. */
function parseCenter(center: Json, projection: unknown): readonly [number, number] {
  const [x, y] = [within(center['x'], -1e9, 1e9, 0), within(center['y'], -1e9, 1e9, 0)];
  const isMetres = (text(center['crs']) ?? text(projection)) === 'EPSG:3857' && (Math.abs(x) > 180 || Math.abs(y) > 90);
  if (!isMetres) return [within(x, -180, 180, 0), within(y, -85, 85, 0)];
  const lat = (Math.atan(Math.sinh((y / MERCATOR_M) * Math.PI)) * 180) / Math.PI;
  return [within((x / MERCATOR_M) * 180, -180, 180, 0), within(lat, -85, 85, 0)];
}

/** As other viewers call them. */
const TYPES: Readonly<Record<ExternalLayer['kind'], string>> = {
  wms: 'wms',
  tiles: 'tileprovider',
  features: 'ogc',
  'arcgis-map': 'arcgis',
  'arcgis-features': 'arcgis-feature',
  wfs: 'wfs',
  image: 'image',
};

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
      layers: [...config.layers].reverse().map((one) => {
        const shared = {
          visibility: one.visible,
          opacity: one.opacity,
          ...(one.group === undefined ? {} : { group: one.group }),
        };
        if ('external' in one) {
          const { url, title } = one.external;
          return { type: TYPES[one.external.kind], url, title, ...shared, [EXTERNAL]: one.external };
        }
        const { alternate, title, style, own, controls, look } = one;
        const filter = filterCql(one.filter);
        return {
          type: 'wms',
          url: '/wms',
          name: alternate,
          title,
          format: 'image/png',
          ...shared,
          ...(style === undefined ? {} : { style }),
          ...(own === undefined ? {} : { [OWN_STYLE]: own }),
          ...(filter === undefined ? {} : { [FILTER]: filter }),
          ...(controls.length === 0 ? {} : { [CONTROLS]: controls }),
          ...(look.columns === undefined ? {} : { [COLUMNS]: columnLooksData(look.columns) }),
          ...(look.popup === undefined ? {} : { [POPUP]: popupData(look.popup) }),
        };
      }),
      ...(config.basemap === undefined ? {} : { [BASEMAP]: config.basemap }),
      ...(config.swipe === undefined ? {} : { [SWIPE]: config.swipe }),
      ...(isSameJson(config.shows, USUAL_SHOWS) ? {} : { [SHOWS]: config.shows }),
      ...(config.annotations.length === 0 ? {} : { [ANNOTATIONS]: annotationsData(config.annotations) }),
      groups: config.groups.map(({ id, title, isOpen, visible }) => ({
        id,
        title,
        expanded: isOpen,
        visibility: visible,
      })),
      bookmarks: config.bookmarks.map(({ name, center: [lng, lat], zoom }) => ({
        name,
        center: { x: lng, y: lat, crs: 'EPSG:4326' },
        zoom,
      })),
    },
  };
}
