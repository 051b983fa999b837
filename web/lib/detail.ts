// What a map shows of a layer with very many features at a zoom, in place of every single one: said to whoever looks, so that nobody takes a cell
// for a feature. Pure.

import { groupOf } from '../../src/geo/style/group.ts';
import type { StyleLayer } from '../map/drawn.ts';
import type { Text } from './i18n/text.ts';

/** As the layer's TileJSON describes its tiles. */
export type TileOverview = {
  /** Up to this zoom features are summarised in cells. */
  readonly maxzoom: number;
  /** Width of a cell, in pixels of a tile of 512. */
  readonly pixels: number;
  /** The attribute that says how many features a cell stands for. */
  readonly count: string;
  /** Columns that cells have; undefined: it is not prepared yet. */
  readonly numbers?: readonly string[] | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly state?: string | undefined;
  readonly sampled?: readonly { readonly zoom: number; readonly shown: number; readonly of: number }[] | undefined;
};

export type Detail = {
  /** Of the ground. */
  readonly cellMetres: number;
  readonly isPreparing: boolean;
  /** Features larger than a cell, where not all of them are drawn. */
  readonly sample: { readonly shown: number; readonly of: number } | undefined;
};

const EQUATOR_M = 40_075_016.686;
const TILE = 512;

/** Undefined: every feature is drawn, or what is drawn says itself what it stands for. `lat`: of the middle of the map. */
export function detailAt(
  overview: TileOverview | undefined,
  layers: readonly StyleLayer[],
  { zoom, lat }: { readonly zoom: number; readonly lat: number },
): Detail | undefined {
  // As maps choose their tiles.
  const level = Math.max(0, Math.floor(zoom + 1e-6));
  if (overview === undefined || level > overview.maxzoom || !layers.some((one) => isOfFeatures(one, zoom)))
    return undefined;
  const cells = (TILE / overview.pixels) * 2 ** level;
  return {
    cellMetres: (EQUATOR_M * Math.cos((lat * Math.PI) / 180)) / cells,
    isPreparing: overview.state === 'preparing',
    sample: overview.sampled?.find((one) => one.zoom === level),
  };
}

/** Clusters and hexagons say how many they stand for, and heat is made of all. */
function isOfFeatures(layer: StyleLayer, zoom: number): boolean {
  const { type, minzoom = 0, maxzoom = Infinity, layout } = layer;
  if (zoom < minzoom || zoom >= maxzoom || layout?.['visibility'] === 'none') return false;
  return type !== 'heatmap' && groupOf(layer) === undefined;
}

export function detailText(t: Text, { cellMetres, isPreparing, sample }: Detail): string {
  const width = widthText(t, cellMetres);
  if (isPreparing) return t('detail.preparing', { width });
  if (sample === undefined) return t('detail.cells', { width });
  return t('detail.sample', { shown: t.number(sample.shown), of: t.number(sample.of), width });
}

/** To two digits: 1.2 km, 340 m. */
function widthText(t: Text, metres: number): string {
  const isLong = metres >= 1000;
  const rounded = Number((isLong ? metres / 1000 : metres).toPrecision(2));
  return `${t.number(rounded)} ${isLong ? 'km' : 'm'}`;
}

/** The square of the ground that the cell around a place covers: west, south, east, north. */
export function cellAround(
  overview: TileOverview,
  [lng, lat]: readonly [number, number],
  zoom: number,
): readonly [number, number, number, number] {
  const level = Math.max(0, Math.min(overview.maxzoom, Math.floor(zoom + 1e-6)));
  const cells = (TILE / overview.pixels) * 2 ** level;
  const column = Math.floor(((lng + 180) / 360) * cells);
  const angle = (Math.max(-85, Math.min(85, lat)) * Math.PI) / 180;
  const row = Math.floor(((1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2) * cells);
  const lngOf = (edge: number): number => (edge / cells) * 360 - 180;
  const latOf = (edge: number): number => (Math.atan(Math.sinh(Math.PI * (1 - (2 * edge) / cells))) * 180) / Math.PI;
  return [lngOf(column), latOf(row + 1), lngOf(column + 1), latOf(row)];
}
