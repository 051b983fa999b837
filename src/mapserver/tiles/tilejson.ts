// Layers → TileJSON 3.0: where their tiles are, what is in them, and where on earth. Pure.

import { MAX_ZOOM } from '../../geo/tile.ts';
import type { Bbox, VectorLayer } from '../../layers/layer.ts';
import { columnClass } from '../layers/column-class.ts';
import { crowdOf } from '../layers/crowd-zoom.ts';
import { CROWD } from '../query/overview-sql.ts';
import { countName, FULL_ZOOM, wholeTile } from '../query/tile-plan.ts';

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

type Overview =
  /** One feature per cell, with these fields and how many features it stands for. */
  | {
      readonly kind: 'aggregated';
      readonly maxzoom: number;
      readonly fields: readonly string[];
      /** Of these, the ones that every tile has. */
      readonly kept: readonly string[];
      readonly count: string;
    }
  /** One feature per pixel, where there are very many of a sample. */
  | { readonly kind: 'sampled'; readonly maxzoom: number };

/** Map clients draw deeper zooms from these: at this one a unit of the grid is a few millimetres. */
const DEEPEST = Math.min(18, MAX_ZOOM);

export function makeTileJson(layers: readonly VectorLayer[], names: string, baseUrl: string): TileJson {
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
    tiles: [`${baseUrl}/tiles/${names}/{z}/{x}/{y}.mvt`],
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
      ...overviewOf(layer),
    })),
  };
}

function crowdOfLayer(layer: VectorLayer): { readonly crowd_zoom?: number } {
  const crowd = crowdOf(layer);
  return crowd === undefined ? {} : { crowd_zoom: crowd };
}

function overviewOf(layer: VectorLayer): { readonly overview?: Overview } {
  const { overview, estimatedRows, cacheable } = layer;
  if (overview === undefined)
    // Where callers see different rows, how many there are is told to nobody.
    return estimatedRows > CROWD || !cacheable ? { overview: { kind: 'sampled', maxzoom: FULL_ZOOM - 1 } } : {};
  if (overview.deepest < 0) return {};
  const { deepest: maxzoom, columns: fields, needed } = overview;
  const kept = fields.slice(0, needed);
  return { overview: { kind: 'aggregated', maxzoom, fields, kept, count: countName(layer) } };
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
