// A layer and a tile → what the tile will hold: its columns, and whether there are so many features that they are thinned. Pure.

import { type TileAddress, tileDegrees } from '../../geo/tile.ts';
import type { LayerColumn, VectorLayer } from '../../layers/layer.ts';
import { columnClass } from '../layers/column-class.ts';
import { shareOf } from './box-sql.ts';

/** Units across a tile, and how far beyond its edge features are drawn. */
export const EXTENT = 4096;
export const BUFFER = 64;

/** From here on nothing is thinned: what lies in one place can only be told apart by asking. */
export const FULL_ZOOM = 14;
/** Features in a tile from which on they are thinned. */
const CROWD = 10_000;
/** Features of a tile that are looked at. */
const MAX_LOOKED_AT = 200_000;
/** Of the 4096 units: MapLibre draws a tile 512 pixels wide. */
export const PIXEL = 8;

/** A column of a tile: what it is called, and how it is selected. */
export type TileColumn = { readonly name: string; readonly type: 'integer' | 'number' | 'boolean' | 'text' };

export type TilePlan = {
  readonly layer: VectorLayer;
  readonly tile: TileAddress;
  readonly columns: readonly TileColumn[];
  /** Its values are the ids of the features. */
  readonly hasIds: boolean;
  readonly isThinned: boolean;
  /** Percent of the table's pages; undefined: all. */
  readonly sample: number | undefined;
  /** Points for names of areas instead of the features, each in the one tile that it lies in. */
  readonly labels: boolean;
};

export function planTile(layer: VectorLayer, tile: TileAddress, labels = false): TilePlan {
  const expected = layer.estimatedRows * shareOf(layer.extent?.wgs84, tileDegrees(tile));
  const isCrowded = tile.z < FULL_ZOOM && expected > CROWD;
  const hasIds = columnClass(layer.keyType) === 'integer';
  return {
    layer,
    tile,
    columns: layer.columns.filter((column) => isShown(column, layer, hasIds)).map(tileColumn),
    hasIds,
    isThinned: isCrowded,
    sample: isCrowded && expected > MAX_LOOKED_AT ? (100 * MAX_LOOKED_AT) / expected : undefined,
    labels,
  };
}

function isShown({ name, type }: LayerColumn, { primaryKey }: VectorLayer, hasIds: boolean): boolean {
  return columnClass(type) !== 'bytes' && !(hasIds && name === primaryKey);
}

function tileColumn({ name, type }: LayerColumn): TileColumn {
  const kind = columnClass(type);
  return { name, type: kind === 'integer' || kind === 'number' || kind === 'boolean' ? kind : 'text' };
}
