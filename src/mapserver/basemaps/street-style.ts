// A quiet style for vector archives: land, water, roads, borders, names, for the layers of Protomaps and of OpenMapTiles, in the light and in the
// dark. What an archive calls otherwise is drawn as thin lines. Pure.

type Colours = {
  readonly land: string;
  readonly green: string;
  readonly water: string;
  readonly building: string;
  readonly road: string;
  readonly main: string;
  readonly border: string;
  readonly text: string;
  readonly halo: string;
};

const LIGHT: Colours = {
  land: '#f3f1ec',
  green: '#e2eadb',
  water: '#c5dbe8',
  building: '#e3ded6',
  road: '#ffffff',
  main: '#f6dfae',
  border: '#a59a8c',
  text: '#3d3d3d',
  halo: '#ffffff',
};

const DARK: Colours = {
  land: '#22262b',
  green: '#25302a',
  water: '#16242f',
  building: '#2b3036',
  road: '#3a4047',
  main: '#5b543f',
  border: '#6d6a64',
  text: '#d5d7da',
  halo: '#191c20',
};

export type StyleInput = {
  /** Of the portal, as the client knows it. */
  readonly base: string;
  readonly id: string;
  readonly layers: readonly string[];
  readonly attribution: string;
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly bounds: readonly [number, number, number, number];
  readonly isDark: boolean;
};

/** A layer of a MapLibre style. */
export type StreetLayer = { readonly 'source-layer': string; readonly [member: string]: unknown };

/** What an archive with these layers is drawn with, from the ground up. */
export function streetLayers(
  names: readonly string[],
  isDark: boolean,
): { readonly ground: string; readonly layers: readonly StreetLayer[] } {
  const colours = isDark ? DARK : LIGHT;
  const known = names.flatMap((layer) => DRAWN[layer]?.(layer, colours) ?? []);
  const others = names.filter((layer) => DRAWN[layer] === undefined && !LEFT_OUT.has(layer));
  const plain = others.map((layer) => ({
    ...of(`${layer}-lines`, 'line', layer),
    paint: { 'line-color': colours.border, 'line-width': 0.5, 'line-opacity': 0.6 },
  }));
  const ranked = [...known].sort((a, b) => a.rank - b.rank).map(({ rank: _rank, ...layer }) => layer);
  return {
    ground: names.includes('earth') ? colours.water : colours.land,
    layers: known.length === 0 ? plain : ranked,
  };
}

/** A MapLibre style document. */
export function streetStyle(input: StyleInput): object {
  const { base, id, attribution, minzoom, maxzoom, bounds } = input;
  const { ground, layers } = streetLayers(input.layers, input.isDark);
  return {
    version: 8,
    name: id,
    glyphs: `${base}/fonts/{fontstack}/{range}.pbf`,
    sources: {
      basemap: {
        type: 'vector',
        tiles: [`${base}/basemaps/${id}/{z}/{x}/{y}.mvt`],
        minzoom,
        maxzoom,
        bounds,
        attribution,
      },
    },
    layers: [{ id: 'background', type: 'background', paint: { 'background-color': ground } }, ...layers],
  };
}

type Ranked = StreetLayer & { readonly rank: number };
type Draw = (layer: string, colours: Colours) => readonly Ranked[];

function of(
  id: string,
  type: string,
  layer: string,
): { id: string; type: string; source: string; 'source-layer': string } {
  return { id, type, source: 'basemap', 'source-layer': layer };
}

/** Protomaps says `kind`, OpenMapTiles `class`. */
const KIND = ['coalesce', ['get', 'kind'], ['get', 'class'], ''];
const GREEN = [
  'park',
  'forest',
  'wood',
  'grass',
  'grassland',
  'nature_reserve',
  'national_park',
  'cemetery',
  'farmland',
  'scrub',
];
const MAIN = ['highway', 'major_road', 'motorway', 'trunk', 'primary'];
const FONT = ['DejaVu Sans'];

const areas =
  (rank: number, colour: keyof Colours, more: object = {}): Draw =>
  (layer, colours) => [{ rank, ...of(layer, 'fill', layer), ...more, paint: { 'fill-color': colours[colour] } }];

const water: Draw = (layer, colours) => [
  {
    rank: 3,
    ...of(layer, 'fill', layer),
    filter: ['==', ['geometry-type'], 'Polygon'],
    paint: { 'fill-color': colours.water },
  },
];

const streams: Draw = (layer, colours) => [
  {
    rank: 4,
    ...of(`${layer}-lines`, 'line', layer),
    filter: ['==', ['geometry-type'], 'LineString'],
    paint: { 'line-color': colours.water, 'line-width': 1 },
  },
];

const roads: Draw = (layer, colours) => {
  const isMain = ['match', KIND, MAIN, true, false];
  const width = (large: number): unknown => [
    'interpolate',
    ['exponential', 1.5],
    ['zoom'],
    6,
    0.3,
    12,
    large / 4,
    18,
    large * 4,
  ];
  return [
    {
      rank: 6,
      ...of(`${layer}-minor`, 'line', layer),
      minzoom: 11,
      filter: ['!', isMain],
      paint: { 'line-color': colours.road, 'line-width': width(4) },
    },
    {
      rank: 7,
      ...of(`${layer}-main`, 'line', layer),
      filter: isMain,
      paint: { 'line-color': colours.main, 'line-width': width(7) },
    },
  ];
};

const borders: Draw = (layer, colours) => [
  {
    rank: 8,
    ...of(layer, 'line', layer),
    paint: { 'line-color': colours.border, 'line-width': 0.8, 'line-dasharray': [4, 2] },
  },
];

const names: Draw = (layer, colours) => [
  {
    rank: 9,
    ...of(layer, 'symbol', layer),
    layout: {
      'text-field': ['coalesce', ['get', 'name'], ''],
      'text-font': FONT,
      'text-size': 12,
      'text-max-width': 8,
    },
    paint: { 'text-color': colours.text, 'text-halo-color': colours.halo, 'text-halo-width': 1.2 },
  },
];

const DRAWN: Readonly<Record<string, Draw | undefined>> = {
  earth: areas(0, 'land'),
  landcover: areas(1, 'green', { filter: ['match', KIND, GREEN, true, false] }),
  landuse: areas(2, 'green', { filter: ['match', KIND, GREEN, true, false] }),
  park: areas(2, 'green'),
  water: (layer, colours) => [...water(layer, colours), ...streams(layer, colours)],
  waterway: streams,
  buildings: areas(5, 'building', { minzoom: 13 }),
  building: areas(5, 'building', { minzoom: 13 }),
  roads,
  transportation: roads,
  boundaries: borders,
  boundary: borders,
  places: names,
  place: names,
};

/** Layers of those schemas that a quiet map goes without. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'pois',
  'poi',
  'transit',
  'transportation_name',
  'water_name',
  'housenumber',
  'mountain_peak',
  'aeroway',
  'aerodrome_label',
]);
