// Background and what is drawn above it → one MapLibre style. Pure: the map is told of the difference to the one before.

import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl';
import { groupKey, groupOf, groupTiles } from '../../src/geo/style/group.ts';
import { onMercator } from '../lib/bbox.ts';
import { legendOf } from '../lib/legend.ts';
import { styleColumns } from '../lib/style-columns.ts';
import { type Basemap, drawBasemap, isBase } from './basemap.ts';
import type { Drawn, FeatureFilter, Look, StyleLayer } from './drawn.ts';

export type Background = {
  readonly basemap: Basemap;
  /** With the names of places and countries. */
  readonly labels: boolean;
  /** Where the marks of points are. */
  readonly sprite: string;
};

const MAP_FONT = ['Inter', 'Segoe UI', 'Liberation Sans', 'sans-serif'];

export function mapStyle(drawn: readonly Drawn[], { basemap, labels, sprite }: Background): StyleSpecification {
  const base = drawBasemap(basemap, MAP_FONT);
  const sources: Record<string, SourceSpecification> = { ...base.sources };
  const layers: LayerSpecification[] = [...base.below];
  // Names of features stand above the symbols of all layers.
  const names: LayerSpecification[] = [];
  for (const one of drawn) addDrawn(one, sources, layers, names);
  // What comes last gets its place first: names of features before those of the background.
  if (labels) layers.push(...base.above);
  layers.push(...names);
  const own = basemap.kind === 'style' ? basemap.document.sprite : undefined;
  return {
    version: 8,
    sprite:
      own === undefined
        ? sprite
        : [
            { id: 'default', url: own },
            { id: MARKS, url: sprite },
          ],
    sources,
    layers: own === undefined ? layers : layers.map(withOwnMarks),
  };
}

/** Beside the marks of an operator's style, ours have a name before theirs. */
const MARKS = 'marks';

function withOwnMarks(layer: LayerSpecification): LayerSpecification {
  if (layer.type !== 'symbol' || isBase(layer.id)) return layer;
  const image = layer.layout?.['icon-image'];
  return typeof image === 'string'
    ? { ...layer, layout: { ...layer.layout, 'icon-image': `${MARKS}:${image}` } }
    : layer;
}

function addDrawn(
  one: Drawn,
  sources: Record<string, SourceSpecification>,
  layers: LayerSpecification[],
  names: LayerSpecification[],
): void {
  switch (one.kind) {
    case 'vector': {
      const { id, labelTiles, minzoom, maxzoom, bounds } = one;
      const asked = askedFilter(one.filter);
      const isServers = one.overview !== undefined || (one.filter !== undefined && one.filter.map === undefined);
      const mine = isServers && asked !== undefined ? asked : '';
      // Another address, since a map keeps the tiles that it has.
      const tiles = withParameters(withParameters(one.tiles, one.isPrepared === true ? 'prepared' : ''), mine);
      // What the server has filtered is not filtered again: tiles of many features have not every attribute.
      const shown = mine === '' ? one : { ...one, filter: undefined };
      const source = (address: string): SourceSpecification => ({
        type: 'vector',
        tiles: [address],
        minzoom,
        maxzoom,
        ...(bounds === undefined ? {} : { bounds: [...onMercator(bounds)] as [number, number, number, number] }),
      });
      sources[id] = source(withParameters(tiles, askedColumns(one)));
      for (const layer of asFiltered(one)) {
        const group = groupOf(layer);
        if (group !== undefined) {
          const name = `${id}${GROUPS}${groupKey(group)}`;
          sources[name] = source(withParameters(groupAddress(one.tiles, groupTiles(group)), asked ?? ''));
          // Numbers take their places before the names of the background, which would lie over them.
          (layer.type === 'symbol' ? names : layers).push(placed(layer, { ...one, filter: undefined }, name));
        } else if (!isName(layer))
          for (const part of withMark(layer)) layers.push(placed(weighed(part, one.overview?.count), shown, id));
        else if (labelTiles === undefined) names.push(placed(layer, shown, id));
        else {
          sources[`${id}${LABELS}`] = source(withParameters(labelTiles, mine));
          names.push(placed(layer, shown, `${id}${LABELS}`));
        }
      }
      return;
    }
    case 'picture': {
      const { id, tiles, opacity, visible, bounds, maxzoom } = one;
      sources[id] = {
        type: 'raster',
        tiles: [tiles],
        tileSize: 256,
        ...(maxzoom === undefined ? {} : { maxzoom }),
        ...credits(one.attribution),
        ...(bounds === undefined ? {} : { bounds: [...onMercator(bounds)] as [number, number, number, number] }),
      };
      layers.push({
        id: `${id}/picture`,
        type: 'raster',
        source: id,
        layout: { visibility: visible ? 'visible' : 'none' },
        paint: { 'raster-opacity': opacity, 'raster-fade-duration': 0 },
      });
      return;
    }
    case 'image': {
      const { id, url, opacity, visible, bounds } = one;
      const [west, south, east, north] = onMercator(bounds);
      const corners: [Corner, Corner, Corner, Corner] = [
        [west, north],
        [east, north],
        [east, south],
        [west, south],
      ];
      sources[id] = { type: 'image', url, coordinates: corners };
      layers.push({
        id: `${id}/picture`,
        type: 'raster',
        source: id,
        layout: { visibility: visible ? 'visible' : 'none' },
        paint: { 'raster-opacity': opacity, 'raster-fade-duration': 0 },
      });
      return;
    }
    case 'shapes':
      sources[one.id] = { type: 'geojson', data: one.data, ...credits(one.attribution) };
      for (const layer of looks[one.look]) {
        const paint: Record<string, unknown> = { ...layer.paint };
        if (one.opacity !== undefined && one.opacity < 1)
          for (const name of OPACITIES[layer.type] ?? []) paint[name] = faded(paint[name], one.opacity);
        const placed = { ...layer, id: `${one.id}/${layer.id}`, source: one.id, paint } as LayerSpecification;
        (layer.type === 'symbol' ? names : layers).push(placed);
      }
  }
}

type Corner = [number, number];

/** MapLibre takes credits for HTML; ours are text. */
function credits(attribution: string | undefined): { readonly attribution?: string } {
  if (attribution === undefined || attribution === '') return {};
  const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return { attribution: attribution.replace(/[&<>"]/g, (sign) => escapes[sign] ?? '') };
}

/** Ends the name of a source with the places of names. */
const LABELS = '/labels';
/** Stands before the group in the name of a source with groups. */
const GROUPS = '/groups ';

/** Does the source have groups of features? */
export function isOfGroups(source: string): boolean {
  return source.includes(GROUPS);
}

/** A filter as parameters of a tile; undefined: there is none that the server understands. */
export function askedFilter(filter: FeatureFilter | undefined): string | undefined {
  return filter?.cql === undefined
    ? undefined
    : `filter-lang=cql2-json&filter=${encodeURIComponent(JSON.stringify(filter.cql))}`;
}

/** Without what a style reads, features would be drawn as if they had no value. Names have tiles of their own, with what they read. */
function askedColumns({ layers, labelTiles, leftOut = [] }: Extract<Drawn, { kind: 'vector' }>): string {
  const drawn = labelTiles === undefined ? layers : layers.filter((layer) => !isName(layer));
  const names = styleColumns(drawn, new Set(leftOut)).slice(0, MAX_COLUMNS);
  return names.map((name) => `column=${encodeURIComponent(name)}`).join('&');
}

/** As many as the server takes. */
const MAX_COLUMNS = 12;

function withParameters(address: string, parameters: string): string {
  return parameters === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${parameters}`;
}

/**
 * Groups have no attributes: where the server cannot be asked for those of some features alone, these are drawn themselves, in the colour of
 * the smallest groups.
 */
function asFiltered(one: Extract<Drawn, { kind: 'vector' }>): readonly StyleLayer[] {
  if (
    one.filter === undefined ||
    one.filter.cql !== undefined ||
    !one.layers.some((layer) => groupOf(layer) !== undefined)
  )
    return one.layers;
  const [first] = legendOf(one.layers);
  const plain: StyleLayer = {
    id: 'ungrouped',
    type: 'circle',
    paint: {
      'circle-color': first?.symbol.colour ?? '#888888',
      'circle-stroke-color': '#333333',
      'circle-stroke-width': 1,
    },
  };
  return [...one.layers.filter((layer) => groupOf(layer) === undefined), plain];
}

/** `…/7/{z}/{x}/{y}.mvt?edits=1` and the address of a group behind a layer → the group's own. */
function groupAddress(tiles: string, group: string): string {
  const [before = '', after = ''] = tiles.split('/{z}/{x}/{y}.mvt');
  return `${before}${group}${after === '' ? '' : `&${after.slice(1)}`}`;
}

/** What of what is drawn has this source. */
export function drawnBy(source: string): string {
  const groups = source.indexOf(GROUPS);
  if (groups >= 0) return source.slice(0, groups);
  return source.endsWith(LABELS) ? source.slice(0, -LABELS.length) : source;
}

/** Heat is made of all features: one that stands for a hundred weighs as much as they do. */
function weighed(layer: StyleLayer, count: string | undefined): StyleLayer {
  if (layer.type !== 'heatmap' || count === undefined) return layer;
  const weight = ['*', layer.paint?.['heatmap-weight'] ?? 1, ['coalesce', ['get', count], 1]];
  return { ...layer, paint: { ...layer.paint, 'heatmap-weight': weight } };
}

/** Radius of a mark in the sprite. */
const MARK_RADIUS = 8;

/**
 * A point with another mark than a circle is an icon to MapLibre. Halos are a layer of their own below: drawn with the icons, tile by tile, those of
 * one tile would lie over the icons of the tile before and show its edge.
 */
function withMark(layer: StyleLayer): readonly StyleLayer[] {
  const mark = layer.metadata?.['survest:mark'];
  if (layer.type !== 'circle' || typeof mark !== 'string' || mark === 'circle') return [layer];
  const { paint = {} } = layer;
  const size = paint['circle-radius'] ?? 5;
  const opacity = paint['circle-opacity'] ?? 1;
  const icon: StyleLayer = {
    ...layer,
    type: 'symbol',
    layout: {
      ...layer.layout,
      'icon-image': mark,
      'icon-size': scaled(size, 1 / MARK_RADIUS),
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
    },
    paint: { 'icon-color': paint['circle-color'] ?? '#000000', 'icon-opacity': opacity },
  };
  const width = paint['circle-stroke-width'] ?? 0;
  if (width === 0) return [icon];
  const halo: StyleLayer = {
    ...icon,
    id: `${layer.id} halo`,
    paint: {
      'icon-color': 'rgba(0,0,0,0)',
      'icon-opacity': opacity,
      'icon-halo-color': paint['circle-stroke-color'] ?? '#000000',
      'icon-halo-width': width,
    },
  };
  return [halo, icon];
}

/** A text without an icon. */
function isName({ type, layout }: StyleLayer): boolean {
  return type === 'symbol' && layout?.['icon-image'] === undefined;
}

/** Paint properties that make a layer of this type see-through. */
const OPACITIES: Readonly<Record<string, readonly string[]>> = {
  fill: ['fill-opacity'],
  line: ['line-opacity'],
  circle: ['circle-opacity', 'circle-stroke-opacity'],
  symbol: ['text-opacity', 'icon-opacity'],
  'fill-extrusion': ['fill-extrusion-opacity'],
  heatmap: ['heatmap-opacity'],
};

function placed(layer: StyleLayer, of: Extract<Drawn, { kind: 'vector' }>, source: string): LayerSpecification {
  const paint: Record<string, unknown> = { ...layer.paint };
  if (of.opacity < 1) {
    for (const name of OPACITIES[layer.type] ?? []) paint[name] = faded(paint[name], of.opacity);
  }
  const filters = [layer.filter, of.filter?.map].filter((one) => one !== undefined);
  return {
    ...layer,
    ...(filters.length === 0 ? {} : { filter: filters.length === 1 ? filters[0] : ['all', ...filters] }),
    id: `${of.id}/${layer.id}`,
    source,
    'source-layer': of.sourceLayer,
    layout: {
      ...layer.layout,
      ...(layer.type === 'symbol' ? { 'text-font': MAP_FONT } : {}),
      visibility: of.visible ? (layer.layout?.['visibility'] ?? 'visible') : 'none',
    },
    paint,
  } as unknown as LayerSpecification;
}

function faded(value: unknown, by: number): unknown {
  return value === undefined ? by : scaled(value, by);
}

/** Expressions that look at the zoom may stand only at the top, so there the outputs are multiplied one by one. */
function scaled(value: unknown, by: number): unknown {
  if (typeof value === 'number') return value * by;
  if (!Array.isArray(value)) return by;
  const [operator] = value as readonly unknown[];
  if (operator === 'interpolate' || operator === 'interpolate-hcl')
    return value.map((part, i) => (i >= 4 && i % 2 === 0 ? scaled(part, by) : part));
  if (operator === 'step') return value.map((part, i) => (i >= 2 && i % 2 === 0 ? scaled(part, by) : part));
  return ['*', value, by];
}

type Bare = {
  readonly id: string;
  readonly type: string;
  readonly paint: Record<string, unknown>;
  readonly layout?: Record<string, unknown>;
  readonly filter?: unknown;
};

type Paint = Bare['paint'];

/** Areas, the lines of all but points, and points, each painted in its way. */
function eachShape(fill: Paint, line: Paint, circle: Paint): readonly Bare[] {
  return [
    { id: 'fill', type: 'fill', filter: ['==', ['geometry-type'], 'Polygon'], paint: fill },
    { id: 'line', type: 'line', filter: ['!=', ['geometry-type'], 'Point'], paint: line },
    { id: 'circle', type: 'circle', filter: ['==', ['geometry-type'], 'Point'], paint: circle },
  ];
}

/** What is selected, what is changed, what is to go. */
const EDIT_COLOUR = ['match', ['get', 'state'], 'selected', '#ffb000', 'deleted', '#b3261e', '#4a90d9'];
const EDIT_OUTLINE = ['match', ['get', 'state'], 'selected', '#b35c00', 'deleted', '#b3261e', '#1f5f9e'];

const looks: Readonly<Record<Look, readonly Bare[]>> = {
  extents: [
    {
      id: 'fill',
      type: 'fill',
      paint: { 'fill-color': '#0d6b5f', 'fill-opacity': ['case', ['boolean', ['get', 'hot'], false], 0.32, 0.06] },
    },
    {
      id: 'line',
      type: 'line',
      paint: { 'line-color': '#14937f', 'line-width': ['case', ['boolean', ['get', 'hot'], false], 3, 1.2] },
    },
  ],
  chosen: eachShape(
    { 'fill-color': '#ffb000', 'fill-opacity': 0.28 },
    { 'line-color': '#e07b00', 'line-width': 3 },
    {
      'circle-radius': 9,
      'circle-color': '#ffb000',
      'circle-opacity': 0.35,
      'circle-stroke-color': '#e07b00',
      'circle-stroke-width': 3,
    },
  ),
  edited: eachShape(
    { 'fill-color': EDIT_COLOUR, 'fill-opacity': ['match', ['get', 'state'], 'deleted', 0.05, 0.28] },
    { 'line-color': EDIT_OUTLINE, 'line-width': ['match', ['get', 'state'], 'selected', 3.5, 2] },
    {
      'circle-radius': 8,
      'circle-color': EDIT_COLOUR,
      'circle-opacity': ['match', ['get', 'state'], 'deleted', 0.1, 0.8],
      'circle-stroke-color': EDIT_OUTLINE,
      'circle-stroke-width': ['match', ['get', 'state'], 'selected', 3.5, 2],
    },
  ),
  measure: eachShape(
    { 'fill-color': '#c2410c', 'fill-opacity': 0.15 },
    { 'line-color': '#c2410c', 'line-width': 2.5, 'line-dasharray': [2, 1.5] },
    {
      'circle-radius': 4.5,
      'circle-color': '#ffffff',
      'circle-stroke-color': '#c2410c',
      'circle-stroke-width': 2.5,
    },
  ),
  external: eachShape(
    { 'fill-color': '#7a3ea1', 'fill-opacity': 0.25 },
    { 'line-color': '#7a3ea1', 'line-width': 1.8 },
    {
      'circle-radius': 5,
      'circle-color': '#7a3ea1',
      'circle-stroke-color': '#ffffff',
      'circle-stroke-width': 1.5,
    },
  ),
  annotations: [
    {
      id: 'fill',
      type: 'fill',
      filter: ['==', ['get', 'kind'], 'polygon'],
      paint: { 'fill-color': ['get', 'colour'], 'fill-opacity': 0.22 },
    },
    {
      id: 'line',
      type: 'line',
      filter: ['!=', ['geometry-type'], 'Point'],
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': ['get', 'colour'], 'line-width': 3 },
    },
    {
      id: 'circle',
      type: 'circle',
      filter: ['==', ['get', 'kind'], 'point'],
      paint: {
        'circle-radius': 7,
        'circle-color': ['get', 'colour'],
        'circle-stroke-color': '#ffffff',
        'circle-stroke-width': 2.5,
      },
    },
    {
      id: 'text',
      type: 'symbol',
      filter: ['==', ['get', 'kind'], 'label'],
      layout: {
        'text-field': ['get', 'title'],
        'text-font': MAP_FONT,
        'text-size': ['match', ['get', 'of'], 'text', 17, 14],
        'text-max-width': 14,
        // Below the mark of a point, in the middle of anything else.
        'text-anchor': ['match', ['get', 'of'], 'point', 'top', 'center'],
        'text-offset': ['match', ['get', 'of'], 'point', ['literal', [0, 0.8]], ['literal', [0, 0]]],
        // What somebody wrote on the map is always read.
        'text-allow-overlap': true,
      },
      paint: { 'text-color': ['get', 'colour'], 'text-halo-color': '#ffffff', 'text-halo-width': 2 },
    },
  ],
  box: [
    { id: 'fill', type: 'fill', paint: { 'fill-color': '#c2410c', 'fill-opacity': 0.12 } },
    { id: 'line', type: 'line', paint: { 'line-color': '#c2410c', 'line-width': 2 } },
  ],
  pins: [
    {
      id: 'circle',
      type: 'circle',
      paint: {
        'circle-radius': 6,
        'circle-color': '#0d6b5f',
        'circle-stroke-color': '#ffffff',
        'circle-stroke-width': 2,
      },
    },
  ],
};
