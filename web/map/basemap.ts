// What a map is drawn on: the packaged map of the world, nothing, or what the operator named. As MapLibre sources and layers. Pure.

import type { LayerSpecification, SourceSpecification } from 'maplibre-gl';
import type { Answers } from '../api/answer.ts';

/** Basemaps that are always there: `world` follows light and dark, as the page has it. */
export const PACKAGED = ['world', 'light', 'dark', 'none'] as const;

/** One of the operator's, as the portal tells it. */
export type NamedBasemap = Answers['GET /api/v2/basemaps/']['basemaps'][number];

/** A style document of an operator's basemap, as far as it is needed. */
export type StyleDocument = {
  readonly sources: Readonly<Record<string, SourceSpecification>>;
  readonly layers: readonly LayerSpecification[];
  readonly sprite?: string | undefined;
};

export type Basemap =
  | { readonly kind: 'world'; readonly isDark: boolean; readonly tiles: string; readonly language: string }
  | { readonly kind: 'none'; readonly isDark: boolean }
  | { readonly kind: 'raster'; readonly isDark: boolean; readonly of: Extract<NamedBasemap, { kind: 'raster' }> }
  | { readonly kind: 'style'; readonly isDark: boolean; readonly of: NamedBasemap; readonly document: StyleDocument };

export type Drawing = {
  readonly sources: Record<string, SourceSpecification>;
  /** Below what is drawn … */
  readonly below: readonly LayerSpecification[];
  /** … and above it: names. */
  readonly above: readonly LayerSpecification[];
};

/** Begins the names of its sources and layers, which are none of what is drawn. */
const BASE = 'base:';

export function isBase(source: string): boolean {
  return source.startsWith(BASE);
}

const LIGHT = {
  sea: '#dbe5e6',
  land: '#f7f4ec',
  shore: '#b9c4c1',
  border: '#b9ad96',
  state: '#d6cfbf',
  river: '#b5cbd0',
  label: '#5f5c52',
  place: '#3f423d',
  halo: '#f7f4ec',
};
const DARK = {
  sea: '#0c1517',
  land: '#1a2422',
  shore: '#31423f',
  border: '#4a5b57',
  state: '#2b3835',
  river: '#17292d',
  label: '#a5b0ab',
  place: '#c3ccc8',
  halo: '#131b1a',
};
const DEEPEST = 10;
const CREDIT = 'Natural Earth, GeoNames';

export function drawBasemap(basemap: Basemap, font: readonly string[]): Drawing {
  switch (basemap.kind) {
    case 'none':
      return { sources: {}, below: [ground(basemap.isDark ? '#131b1a' : '#ffffff')], above: [] };
    case 'raster':
      return rasterDrawing(basemap.of, basemap.isDark);
    case 'style':
      return styleDrawing(basemap.of, basemap.document, font);
    case 'world':
      return worldDrawing(basemap, font);
  }
}

function ground(color: string): LayerSpecification {
  return { id: `${BASE}ground`, type: 'background', paint: { 'background-color': color } };
}

function rasterDrawing(of: Extract<NamedBasemap, { kind: 'raster' }>, isDark: boolean): Drawing {
  const [west = -180, south = -85.051129, east = 180, north = 85.051129] = of.bounds ?? [];
  return {
    sources: {
      [`${BASE}tiles`]: {
        type: 'raster',
        tiles: [...of.tiles],
        tileSize: of.tile_size,
        minzoom: of.minzoom,
        maxzoom: of.maxzoom,
        attribution: credit(of),
        bounds: [west, south, east, north],
      },
    },
    below: [ground(isDark ? DARK.sea : LIGHT.sea), { id: `${BASE}tiles`, type: 'raster', source: `${BASE}tiles` }],
    above: [],
  };
}

/** Plain text of the settings, which MapLibre takes for HTML. */
function credit({ attribution, attribution_url }: NamedBasemap): string {
  const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
  return attribution_url === null
    ? escaped(attribution)
    : `<a href="${escaped(attribution_url)}" rel="noopener" target="_blank">${escaped(attribution)}</a>`;
}

/** Its letters are drawn by the browser, as ours are: an own font would need an address that the policy may not know. */
function styleDrawing(of: NamedBasemap, { sources, layers }: StyleDocument, font: readonly string[]): Drawing {
  const own = Object.entries(sources).map(([name, source], i) => [
    `${BASE}${name}`,
    i === 0 ? { ...source, attribution: credit(of) } : source,
  ]);
  const placed = layers.map((layer) => ({
    ...layer,
    id: `${BASE}${layer.id}`,
    ...('source' in layer ? { source: `${BASE}${layer.source}` } : {}),
    ...(layer.type === 'symbol'
      ? { layout: { ...layer.layout, ...(layer.layout?.['text-field'] === undefined ? {} : { 'text-font': font }) } }
      : {}),
  })) as LayerSpecification[];
  return { sources: Object.fromEntries(own) as Drawing['sources'], below: placed, above: [] };
}

function worldDrawing(
  { isDark, tiles, language }: Extract<Basemap, { kind: 'world' }>,
  font: readonly string[],
): Drawing {
  const colours = isDark ? DARK : LIGHT;
  const source = `${BASE}world`;
  const name = language === 'de' ? ['get', 'name_de'] : ['get', 'name'];
  const line = (id: string, color: string, width: unknown): LayerSpecification =>
    ({
      id: `${BASE}${id}`,
      type: 'line',
      source,
      'source-layer': id,
      layout: { 'line-join': 'round' },
      paint: { 'line-color': color, 'line-width': width },
    }) as LayerSpecification;
  const area = (id: string, color: string): LayerSpecification => ({
    id: `${BASE}${id}`,
    type: 'fill',
    source,
    'source-layer': id,
    paint: { 'fill-color': color, 'fill-outline-color': colours.shore },
  });
  const byZoom = (...stops: readonly number[]): unknown => ['interpolate', ['linear'], ['zoom'], ...stops];
  const text = { 'text-halo-color': colours.halo, 'text-halo-width': 1.3 };
  return {
    sources: { [source]: { type: 'vector', tiles: [tiles], minzoom: 0, maxzoom: DEEPEST, attribution: CREDIT } },
    below: [
      ground(colours.sea),
      area('land', colours.land),
      area('lakes', colours.sea),
      line('rivers', colours.river, byZoom(2, 0.4, 8, 1.6)),
      line('states', colours.state, byZoom(3, 0.5, 8, 1.2)),
      line('borders', colours.border, byZoom(1, 0.5, 6, 1.4)),
    ],
    above: [
      {
        id: `${BASE}places`,
        type: 'symbol',
        source,
        'source-layer': 'places',
        layout: {
          'text-field': name,
          'text-font': [...font],
          'text-size': [
            'interpolate',
            ['linear'],
            ['zoom'],
            3,
            ['step', ['get', 'people'], 10, 5_000_000, 12],
            10,
            ['step', ['get', 'people'], 11, 50_000, 13, 500_000, 17],
          ],
          'text-max-width': 8,
          'symbol-sort-key': ['-', 0, ['get', 'people']],
        },
        paint: { ...text, 'text-color': colours.place },
      } as unknown as LayerSpecification,
      {
        id: `${BASE}countries`,
        type: 'symbol',
        source,
        'source-layer': 'countries',
        minzoom: 1.5,
        maxzoom: 7,
        layout: {
          'text-field': name,
          'text-font': [...font],
          'text-size': byZoom(2, 10, 6, 15),
          'text-letter-spacing': 0.06,
          'text-max-width': 7,
          'symbol-sort-key': ['-', 0, ['get', 'size']],
        },
        paint: { ...text, 'text-color': colours.label },
      } as unknown as LayerSpecification,
    ],
  };
}
