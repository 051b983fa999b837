// A layer of the catalogue → what a map draws of it: where its tiles are and in which style. Asks the map services.

import { exchange, get, getFor, send } from '../api/client.ts';
import type { Failure } from '../api/failure.ts';
import { isRasterSummary, type RasterSummary } from '../api/raster.ts';
import type { Extent } from '../lib/catalogue-state.ts';
import type { TileOverview } from '../lib/detail.ts';
import { isEither, isListOf, isNumber, isObject, isOneOf, isRecordOf, isText } from '../lib/guard.ts';
import { type LegendEntry, legendOf } from '../lib/legend.ts';
import { rasterLegend } from '../lib/raster-look.ts';
import { ok, type Result } from '../lib/result.ts';
import { type GeometryKind, PALETTE, PLAIN, toLayers } from '../lib/simple-style.ts';
import type { Drawn, FeatureFilter, StyleLayer } from './drawn.ts';

export type LayerSource = {
  readonly pk: string;
  readonly kind: 'vector' | 'raster';
  readonly geometry: GeometryKind;
  readonly tiles: string;
  /** Of areas: where their names stand. */
  readonly labelTiles: string | undefined;
  readonly sourceLayer: string;
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly bounds: Extent | undefined;
  readonly layers: readonly StyleLayer[];
  /** Columns and what they hold. */
  readonly fields: Readonly<Record<string, string>>;
  /** Of rasters; undefined: it is none, or cannot be read. */
  readonly raster: RasterSummary | undefined;
  /** The zoom from which on its features stand apart. */
  readonly crowd: number | undefined;
  /** Where features are many, tiles have cells instead of them. */
  readonly overview: TileOverview | undefined;
  /** Columns that such a tile leaves out where nobody asks for them. */
  readonly leftOut: readonly string[];
};

type TileJson = {
  readonly minzoom?: number | undefined;
  readonly maxzoom?: number | undefined;
  readonly bounds?: readonly number[] | undefined;
  readonly vector_layers: readonly {
    readonly id: string;
    readonly fields?: Readonly<Record<string, string>> | undefined;
    readonly geometry_type?: string | undefined;
    readonly crowd_zoom?: number | undefined;
    readonly overview?: TileOverview | undefined;
  }[];
};

const isMissing = isOneOf(undefined);
const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  isObject(value) && Object.values(value).every(isText);
const isTileOverview = isRecordOf<TileOverview>({
  maxzoom: isNumber,
  pixels: isNumber,
  count: isText,
  numbers: isEither(isListOf(isText), isMissing),
  categories: isEither(isListOf(isText), isMissing),
  state: isEither(isText, isMissing),
  sampled: isEither(isListOf(isRecordOf({ zoom: isNumber, shown: isNumber, of: isNumber })), isMissing),
});
export const isTileJson = isRecordOf<TileJson>({
  minzoom: isEither(isNumber, isMissing),
  maxzoom: isEither(isNumber, isMissing),
  bounds: isEither(isListOf(isNumber), isMissing),
  vector_layers: isListOf(
    isRecordOf<TileJson['vector_layers'][number]>({
      id: isText,
      fields: isEither(isTexts, isMissing),
      geometry_type: isEither(isText, isMissing),
      crowd_zoom: isEither(isNumber, isMissing),
      overview: isEither(isTileOverview, isMissing),
    }),
  ),
});

/** What is known of a layer before its services are asked. */
export type LayerRef = {
  readonly pk: string;
  readonly storeType: string | null;
  /** A style's name or id; undefined: the default one. */
  readonly style?: string | undefined;
};

export async function loadLayerSource(ref: LayerRef, signal?: AbortSignal): Promise<Result<LayerSource, Failure>> {
  const { pk } = ref;
  if (ref.storeType === 'coverageStore') return ok(await rasterSource(ref, signal));
  const [tileJson, style] = await Promise.all([
    getFor(isTileJson, `/tiles/${pk}.json`, signal),
    loadStyle(ref, signal),
  ]);
  if (!tileJson.ok) return tileJson;
  const { vector_layers, minzoom = 0, maxzoom = 18, bounds } = tileJson.value;
  const [layer] = vector_layers;
  const geometry = (['point', 'line', 'polygon'] as const).find((kind) => kind === layer?.geometry_type) ?? 'mixed';
  const crowd = layer?.crowd_zoom;
  const [west, south, east, north] = bounds ?? [];
  return ok({
    pk,
    kind: 'vector',
    geometry,
    tiles: `${window.location.origin}/tiles/${pk}/{z}/{x}/{y}.mvt`,
    labelTiles: geometry === 'polygon' ? `${window.location.origin}/tiles/${pk}/labels/{z}/{x}/{y}.mvt` : undefined,
    sourceLayer: layer?.id ?? pk,
    minzoom,
    maxzoom,
    bounds:
      west === undefined || south === undefined || east === undefined || north === undefined
        ? undefined
        : [west, south, east, north],
    layers: style ?? toLayers({ ...PLAIN, crowd, colour: { kind: 'single', colour: colourOf(pk) } }, geometry),
    fields: layer?.fields ?? {},
    raster: undefined,
    crowd,
    overview: layer?.overview,
    leftOut: leftOutOf(layer?.fields ?? {}, layer?.overview),
  });
}

/** What tiles of a summary leave out where nobody asks for it. */
export function leftOutOf(
  fields: Readonly<Record<string, string>>,
  overview: TileOverview | undefined,
): readonly string[] {
  if (overview?.numbers === undefined) return [];
  const has = new Set([...overview.numbers, ...(overview.categories ?? [])]);
  return Object.keys(fields).filter((name) => !has.has(name));
}

async function rasterSource(ref: LayerRef, signal?: AbortSignal): Promise<LayerSource> {
  const { pk, style } = ref;
  const [layers = [], summary] = await Promise.all([
    loadStyle(ref, signal),
    getFor(isRasterSummary, `/styles/${pk}/statistics.json`, signal),
  ]);
  // Another look is another address: a map keeps the pictures that it has.
  const query = new URLSearchParams({
    ...(style === undefined ? {} : { style }),
    look: hashOf(JSON.stringify(layers)),
  });
  return {
    pk,
    kind: 'raster',
    geometry: 'mixed',
    tiles: `${window.location.origin}/rastertiles/${pk}/{z}/{x}/{y}.png?${query}`,
    labelTiles: undefined,
    sourceLayer: '',
    minzoom: 0,
    maxzoom: 22,
    bounds: undefined,
    layers,
    fields: {},
    raster: summary.ok ? summary.value : undefined,
    crowd: undefined,
    overview: undefined,
    leftOut: [],
  };
}

function hashOf(text: string): string {
  let hash = 5381;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 33) ^ text.charCodeAt(i)) >>> 0;
  return hash.toString(36);
}

/** What the legend of a layer shows; `draft`: its style while it is edited; `opacity`: of the layer on its map. */
export function legendEntries(source: LayerSource, draft?: readonly StyleLayer[], opacity = 1): readonly LegendEntry[] {
  const layers = draft ?? source.layers;
  const entries = source.kind === 'raster' ? rasterLegend(layers, source.raster) : legendOf(layers);
  if (opacity >= 1) return entries;
  return entries.map((entry) => ({
    ...entry,
    symbol: {
      ...entry.symbol,
      opacity: (entry.symbol.opacity ?? 1) * opacity,
      ...(entry.symbol.outline === undefined ? {} : { outlineOpacity: (entry.symbol.outlineOpacity ?? 1) * opacity }),
    },
  }));
}

/** Undefined: there is none, or none that can be read. */
async function loadStyle({ pk, style }: LayerRef, signal?: AbortSignal): Promise<readonly StyleLayer[] | undefined> {
  const reply = await get(`/styles/${pk}/${encodeURIComponent(style ?? 'default')}.json`, signal);
  return reply.ok ? styleLayersOf(reply.value) : undefined;
}

/** A list of layers, or a whole style with one. Only layers that draw features of a layer. */
function styleLayersOf(style: unknown): readonly StyleLayer[] | undefined {
  const layers: unknown = isObject(style) ? style['layers'] : style;
  if (!Array.isArray(layers)) return undefined;
  const drawn = layers.filter(
    (layer): layer is StyleLayer => isObject(layer) && isText(layer['type']) && layer['type'] !== 'background',
  );
  if (drawn.length === 0) return undefined;
  return drawn.map(({ id, type, filter, minzoom, maxzoom, paint, layout, metadata }, i) => ({
    id: typeof id === 'string' ? `${i}-${id.slice(0, 100)}` : String(i),
    type,
    ...(filter === undefined ? {} : { filter }),
    ...(minzoom === undefined ? {} : { minzoom }),
    ...(maxzoom === undefined ? {} : { maxzoom }),
    ...(paint === undefined ? {} : { paint }),
    ...(layout === undefined ? {} : { layout }),
    ...(metadata === undefined ? {} : { metadata }),
  }));
}

/** Under this name: replaced where there is one, else added. Without a title it keeps the one it had. */
export function saveStyle(
  pk: string,
  style: string,
  layers: readonly StyleLayer[],
  title?: string,
  /** Of the style that this one was made from: if it is another by now, nothing is saved (412). */
  tag?: string,
): Promise<Result<unknown, Failure>> {
  const body = { version: 8, ...(title === undefined ? {} : { name: title }), layers };
  return send('PUT', `/styles/${pk}/${encodeURIComponent(style)}.json`, {
    body,
    ...(tag === undefined ? {} : { headers: { 'If-Match': tag } }),
  });
}

/** What a change of a style is bound to; undefined: it is not known. */
export async function styleTag(pk: string, style: string, signal: AbortSignal): Promise<string | undefined> {
  const reply = await exchange('GET', `/styles/${pk}/${encodeURIComponent(style)}.json`, { signal });
  return reply.ok ? (reply.value.headers.get('ETag') ?? undefined) : undefined;
}

function colourOf(pk: string): string {
  return PALETTE[Number(pk) % PALETTE.length] ?? '#1f78b4';
}

export type Shown = {
  readonly opacity: number;
  readonly visible: boolean;
  readonly layers?: readonly StyleLayer[] | undefined;
  readonly filter?: FeatureFilter | undefined;
  /** What people call the layer. */
  readonly title?: string | undefined;
};

/** `id` names it among what a map draws. */
export function drawnOf(source: LayerSource, id: string, shown: Shown): Drawn {
  const { opacity, visible, filter } = shown;
  if (source.kind === 'raster') {
    return { kind: 'picture', id, tiles: source.tiles, bounds: source.bounds, opacity, visible };
  }
  const { tiles, labelTiles, sourceLayer, minzoom, maxzoom, bounds, overview, leftOut } = source;
  return {
    kind: 'vector',
    id,
    tiles,
    labelTiles,
    sourceLayer,
    minzoom,
    maxzoom,
    bounds,
    overview,
    title: shown.title,
    leftOut,
    layers: shown.layers ?? source.layers,
    opacity,
    visible,
    ...(filter === undefined ? {} : { filter }),
  };
}
