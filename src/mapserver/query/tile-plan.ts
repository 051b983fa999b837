// A layer and a tile → what of its features the tile holds: which of them, and their columns. Pure.

import type { TileAddress } from '../../geo/tile.ts';
import type { LayerColumn, VectorLayer } from '../../layer-ports/layer.ts';
import { columnClass } from '../columns/column-class.ts';
import type { Sql } from './value.ts';

/** How far beyond its edge features are drawn, of the units across it. */
export const BUFFER = 64;

/** From here on nothing is simplified: map clients draw deeper zooms from these tiles. */
export const FULL_ZOOM = 14;

/** A column of a tile: what it is called, and how it is selected. */
export type TileColumn = { readonly name: string; readonly type: 'integer' | 'number' | 'boolean' | 'text' };

type TileSource =
  /** Every feature. */
  | { readonly kind: 'all' }
  /** Of a summary: features that fill a cell, or a share of them, the same ones in every tile. */
  | { readonly kind: 'large'; readonly share: number }
  /** Points for names of areas instead of the features, each in the one tile that it lies in. */
  | { readonly kind: 'labels' };

export type TilePlan = {
  readonly layer: VectorLayer;
  readonly tile: TileAddress;
  readonly columns: readonly TileColumn[];
  /** Its values are the ids of the features. */
  readonly hasIds: boolean;
  readonly source: TileSource;
  /** Of rows, besides where they are. */
  readonly conditions: readonly Sql[];
};

/** Every feature, with every column. */
export function wholeTile(layer: VectorLayer, tile: TileAddress, conditions: readonly Sql[] = []): TilePlan {
  const hasIds = columnClass(layer.keyType) === 'integer';
  const columns = layer.columns.filter((column) => isShown(column, layer, hasIds)).map(tileColumn);
  return { layer, tile, columns, hasIds, source: { kind: 'all' }, conditions };
}

/** With the columns of cells and those that the caller names: all of them would be too much of so many features. */
export function bareTile(plan: TilePlan, named: readonly string[]): TilePlan {
  const { numbers = [], categories = [] } = plan.layer.overview ?? {};
  const wanted = new Set([...numbers, ...categories, ...named]);
  const known = plan.layer.overview === undefined ? plan.columns.slice(0, MAX_BARE) : [];
  return { ...plan, columns: plan.columns.filter((column) => wanted.has(column.name) || known.includes(column)) };
}

/** Without an overview nobody has chosen which columns are needed. */
const MAX_BARE = 12;

export function tileColumn({ name, type }: Pick<LayerColumn, 'name' | 'type'>): TileColumn {
  const kind = columnClass(type);
  return { name, type: kind === 'integer' || kind === 'number' || kind === 'boolean' ? kind : 'text' };
}

function isShown({ name, type }: LayerColumn, { primaryKey }: VectorLayer, hasIds: boolean): boolean {
  return columnClass(type) !== 'bytes' && !(hasIds && name === primaryKey);
}
