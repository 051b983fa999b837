// Layers → TileJSON 3.0: where their tiles are, what is in them, and where on earth. Pure.

import { MAX_ZOOM } from '../../geo/tile.ts';
import type { Bbox, LayerOverview, VectorLayer } from '../../layer-ports/layer.ts';
import { CELL_PIXELS } from '../cells/cell.ts';
import { crowdOf } from '../cells/crowd-zoom.ts';
import { columnClass } from '../columns/column-class.ts';
import { wholeTile } from '../query/tile-plan.ts';
import { summaryTo } from '../summary/shown.ts';
import { CELL_COUNT } from './summary-features.ts';

export type TileJson = {
  readonly tilejson: '3.0.0';
  readonly name: string;
  readonly description?: string;
  readonly attribution?: string;
  readonly version: '1.0.0';
  readonly scheme: 'xyz';
  readonly tiles: readonly string[];
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly bounds?: Bbox;
  readonly center?: readonly [number, number, number];
  readonly vector_layers: readonly {
    readonly id: string;
    readonly description: string;
    readonly minzoom: number;
    readonly maxzoom: number;
    readonly fields: Readonly<Record<string, 'Number' | 'Boolean' | 'String'>>;
    /** Which kind of symbol fits: `point`, `line`, `polygon`, `mixed`. */
    readonly geometry_type: VectorLayer['geometry']['kind'];
    /** The zoom from which on its features stand apart, about. */
    readonly crowd_zoom?: number;
    /** What tiles of a crowd hold, up to that zoom; missing: every feature, at every zoom. */
    readonly overview?: Overview;
  }[];
};

/** Up to this zoom tiles have cells, each an aggregate of all features in it, and of the features those that fill a cell. */
type Overview = {
  readonly kind: 'cells';
  readonly maxzoom: number;
  /** Width of a cell in pixels of a tile of 512. */
  readonly pixels: number;
  /** The attribute that says how many features a cell has. */
  readonly count: string;
  /** Columns whose mean a cell has, and those of which it has a value in proportion to its share; missing: it is being prepared. */
  readonly numbers?: readonly string[];
  readonly categories?: readonly string[];
  /** `preparing`: cells are of a sample until it is prepared; `updating`: rows have changed since. */
  readonly state: 'ready' | 'updating' | 'preparing' | 'sampled';
  /** Features that were counted. */
  readonly features?: number;
  /** Zooms at which features that fill a cell are too many: about so many of them are drawn, the same ones in every tile. */
  readonly sampled?: readonly { readonly zoom: number; readonly shown: number; readonly of: number }[];
};

/** Map clients draw deeper zooms from these: at this one a unit of the grid is a few millimetres. */
const DEEPEST = Math.min(18, MAX_ZOOM);

export type TileJsonAsk = {
  /** Of the layers, as they were asked for. */
  readonly names: string;
  readonly baseUrl: string;
  /** The filter as parameters of an address; empty: none. */
  readonly query: string;
  /** Layers of which so few features pass the filter that they are drawn as they are. */
  readonly whole: ReadonlySet<number>;
};

export function makeTileJson(layers: readonly VectorLayer[], { names, baseUrl, query, whole }: TileJsonAsk): TileJson {
  const bounds = boundsOf(layers);
  const attribution = layers.flatMap((layer) => layer.attribution ?? []).join(', ');
  const abstract = layers.length === 1 ? (layers[0]?.abstract ?? '') : '';
  return {
    tilejson: '3.0.0',
    name: layers.map(({ title }) => title).join(', '),
    ...(abstract === '' ? {} : { description: abstract }),
    ...(attribution === '' ? {} : { attribution }),
    version: '1.0.0',
    scheme: 'xyz',
    tiles: [`${baseUrl}/tiles/${names}/{z}/{x}/{y}.mvt${query}`],
    minzoom: 0,
    maxzoom: DEEPEST,
    ...(bounds === undefined
      ? {}
      : { bounds, center: [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2, zoomOf(bounds)] as const }),
    vector_layers: layers.map((layer) => ({
      id: layer.name,
      description: layer.title,
      minzoom: 0,
      maxzoom: DEEPEST,
      fields: fieldsOf(layer),
      geometry_type: layer.geometry.kind,
      ...crowdOfLayer(layer),
      ...(whole.has(layer.id) ? {} : overviewOf(layer)),
    })),
  };
}

function crowdOfLayer(layer: VectorLayer): { readonly crowd_zoom?: number } {
  const crowd = crowdOf(layer);
  return crowd === undefined ? {} : { crowd_zoom: crowd };
}

function overviewOf(layer: VectorLayer): { readonly overview?: Overview } {
  const { overview, cacheable } = layer;
  const maxzoom = summaryTo(layer);
  if (maxzoom < 0) return {};
  const cells = { kind: 'cells', maxzoom, pixels: CELL_PIXELS, count: CELL_COUNT } as const;
  // Where callers see different rows, nothing is prepared, and how many there are is told to nobody.
  if (overview === undefined) return { overview: { ...cells, state: cacheable ? 'preparing' : 'sampled' } };
  const { numbers, categories, rows: features, isUpdating } = overview;
  const state = isUpdating ? 'updating' : 'ready';
  return { overview: { ...cells, numbers, categories, features, ...sampledOf(overview), state } };
}

export function sampledOf({ shares, large = [] }: Pick<LayerOverview, 'shares' | 'large'>): Pick<Overview, 'sampled'> {
  const sampled = shares.flatMap((share, zoom) => {
    const of = large[zoom] ?? 0;
    return share < 1 && of > 0 ? [{ zoom, shown: Math.round(share * of), of }] : [];
  });
  return sampled.length === 0 ? {} : { sampled };
}

function fieldsOf(layer: VectorLayer): Record<string, 'Number' | 'Boolean' | 'String'> {
  const types = { integer: 'Number', number: 'Number', boolean: 'Boolean', text: 'String' } as const;
  const { columns, hasIds } = wholeTile(layer, { z: 0, x: 0, y: 0 });
  // Maps without a prototype: columns can be called anything.
  const fields: Record<string, 'Number' | 'Boolean' | 'String'> = Object.create(null);
  for (const { name, type } of columns) fields[name] = types[type];
  if (!hasIds) fields[layer.primaryKey] = columnClass(layer.keyType) === 'boolean' ? 'Boolean' : 'String';
  return fields;
}

/** Within the world of web maps. */
function boundsOf(layers: readonly VectorLayer[]): Bbox | undefined {
  const boxes = layers.flatMap(({ extent }) => (extent === undefined ? [] : [extent.wgs84]));
  if (boxes.length === 0) return undefined;
  const edge = (i: 0 | 1 | 2 | 3, pick: (...edges: number[]) => number): number => pick(...boxes.map((box) => box[i]));
  const clamp = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value));
  return [
    clamp(edge(0, Math.min), 180),
    clamp(edge(1, Math.min), 85.0511),
    clamp(edge(2, Math.max), 180),
    clamp(edge(3, Math.max), 85.0511),
  ];
}

/** At which the bounds fill about a screen. */
function zoomOf([xmin, ymin, xmax, ymax]: Bbox): number {
  const span = Math.max((xmax - xmin) / 360, (ymax - ymin) / 170, 1e-6);
  return Math.max(0, Math.min(DEEPEST, Math.floor(Math.log2(1 / span))));
}
