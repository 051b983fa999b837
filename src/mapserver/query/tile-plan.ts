// A layer and a tile → what the tile will hold: its columns, and how its features are found where there are very many. Pure.

import type { Group } from '../../geo/style/group.ts';
import { type TileAddress, tileDegrees } from '../../geo/tile.ts';
import type { LayerColumn, VectorLayer } from '../../layers/layer.ts';
import { columnClass } from '../layers/column-class.ts';
import { shareOf } from './box-sql.ts';
import { keyType } from './grid-sql.ts';
import { type GroupPlan, groupColumns, planTileGroups } from './group-sql.ts';
import { CROWD } from './overview-sql.ts';
import type { Sql } from './value.ts';

/** How far beyond its edge features are drawn, of the units across it. */
export const BUFFER = 64;

/** From here on nothing is thinned of a layer without an overview: what lies in one place can only be told apart by asking. */
export const FULL_ZOOM = 14;
/** Features of a tile that are looked at. */
const MAX_LOOKED_AT = 200_000;

/** A column of a tile: what it is called, and how it is selected. */
export type TileColumn = {
  readonly name: string;
  readonly type: 'integer' | 'number' | 'boolean' | 'text';
  /** Not of the table: how many features this one stands for. */
  readonly isCount?: true;
};

type TileSource =
  /** Every feature. */
  | { readonly kind: 'all' }
  /** Points for names of areas instead of the features, each in the one tile that it lies in. `sample` as below; `kept`: of the areas that an overview knows. */
  | { readonly kind: 'labels'; readonly sample: number | undefined | 'kept' }
  /** One feature per pixel of those smaller than a pixel. `sample`: percent of the table's pages; undefined: all. */
  | { readonly kind: 'thinned'; readonly sample: number | undefined }
  /**
   * One feature per cell (grid-sql.ts) of those smaller than a cell, looked for in the table. `share`: of what was found, from 0 to 1;
   * `isCoarse`: cells are twice as wide.
   */
  | { readonly kind: 'gridded'; readonly share: number; readonly isCoarse: boolean }
  /** The same, by the keys of the overview. */
  | { readonly kind: 'kept'; readonly share: number }
  /** Clusters or hexagons instead of the features. */
  | { readonly kind: 'grouped'; readonly plan: GroupPlan };

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

export function planTile(layer: VectorLayer, tile: TileAddress, labels = false): TilePlan {
  const expected = layer.estimatedRows * shareOf(layer.extent?.wgs84, tileDegrees(tile));
  const isCrowded = tile.z < FULL_ZOOM && expected > CROWD;
  const sample = isCrowded && expected > MAX_LOOKED_AT ? (100 * MAX_LOOKED_AT) / expected : undefined;
  if (labels) return { ...wholeTile(layer, tile), source: { kind: 'labels', sample } };
  return { ...wholeTile(layer, tile), source: isCrowded ? { kind: 'thinned', sample } : { kind: 'all' } };
}

/** Names of areas by what the overview says of the tile: those of the large ones that it knows, else of any. */
export function labelTile(layer: VectorLayer, tile: TileAddress, crowd: Crowd | undefined): TilePlan {
  const sample = crowd?.hasKeys === true ? 'kept' : undefined;
  return { ...wholeTile(layer, tile), source: { kind: 'labels', sample } };
}

export function wholeTile(layer: VectorLayer, tile: TileAddress): TilePlan {
  const hasIds = columnClass(layer.keyType) === 'integer';
  const columns = layer.columns.filter((column) => isShown(column, layer, hasIds)).map(tileColumn);
  return { layer, tile, columns, hasIds, source: { kind: 'all' }, conditions: [] };
}

/** Groups of the features, with how many each has. A point that is a cluster by itself has its attributes, and its id. */
export function groupedTile(
  layer: VectorLayer,
  tile: TileAddress,
  group: Group,
  conditions: readonly Sql[] = [],
): TilePlan {
  const own = groupColumns(group).map(tileColumn);
  const plan = wholeTile(layer, tile);
  const isPoint = group.kind === 'cluster' && keyType(layer) !== undefined;
  const others = isPoint ? plan.columns.filter(({ name }) => !own.some((one) => one.name === name)) : [];
  const source = { kind: 'grouped', plan: planTileGroups(layer, group, tile, conditions) } as const;
  return { ...plan, columns: [...own, ...others], hasIds: isPoint && plan.hasIds, source };
}

/**
 * Features that pass a filter: what an overview keeps stands for others that need not pass, so rows are looked at. `isCrowd`: there are more of
 * them than a tile shows one by one.
 */
export function filteredTile(
  layer: VectorLayer,
  tile: TileAddress,
  conditions: readonly Sql[],
  isCrowd: boolean,
  named: readonly string[] = [],
): TilePlan {
  if (!isCrowd) return { ...wholeTile(layer, tile), conditions };
  if (keyType(layer) === undefined)
    return { ...wholeTile(layer, tile), source: { kind: 'thinned', sample: undefined }, conditions };
  return { ...crowdedTile(layer, tile, { hasKeys: false }, named), conditions };
}

/** What an overview says of a tile. */
export type Crowd = { readonly hasKeys: boolean };

/**
 * The columns of an overview and those that the caller names, with how many features each stands for. `isBare`: of an overview's columns only those that are
 * needed, since all of them would be too large.
 */
export function crowdedTile(
  layer: VectorLayer,
  tile: TileAddress,
  crowd: Crowd,
  named: readonly string[] = [],
  isBare = false,
): TilePlan {
  const plan = wholeTile(layer, tile);
  const { columns, needed } = layer.overview ?? firstColumns(plan);
  const wanted = new Set([...(isBare ? columns.slice(0, needed) : columns), ...named]);
  const shown = plan.columns.filter(({ name }) => wanted.has(name));
  const count = { name: countName(layer), type: 'integer', isCount: true } as const;
  const source: TileSource = crowd.hasKeys
    ? { kind: 'kept', share: 1 }
    : { kind: 'gridded', share: 1, isCoarse: false };
  return { ...plan, columns: [...shown, count], source };
}

/** Without an overview nobody has chosen which columns a crowd needs. */
function firstColumns({ columns }: TilePlan): { readonly columns: readonly string[]; readonly needed: number } {
  const names = columns.slice(0, MAX_CROWD_COLUMNS).map(({ name }) => name);
  return { columns: names, needed: names.length };
}

const MAX_CROWD_COLUMNS = 12;

/** What is left where even that is too large by this factor: areas are merged further, of anything else some are left out. */
export function reducedTile(
  layer: VectorLayer,
  tile: TileAddress,
  crowd: Crowd,
  named: readonly string[],
  factor: number,
): TilePlan {
  const plan = crowdedTile(layer, tile, crowd, named, true);
  const isArea = layer.geometry.kind === 'polygon' || layer.geometry.kind === 'mixed';
  if (crowd.hasKeys) return { ...plan, source: { kind: 'kept', share: factor } };
  return { ...plan, source: { kind: 'gridded', share: isArea ? 1 : factor, isCoarse: isArea } };
}

/** `point_count`, as clusters of MapLibre have it. */
export function countName({ columns }: Pick<VectorLayer, 'columns'>): string {
  const name = 'point_count';
  return columns.some((column) => column.name === name) ? `_${name}` : name;
}

function isShown({ name, type }: LayerColumn, { primaryKey }: VectorLayer, hasIds: boolean): boolean {
  return columnClass(type) !== 'bytes' && !(hasIds && name === primaryKey);
}

function tileColumn({ name, type }: Pick<LayerColumn, 'name' | 'type'>): TileColumn {
  const kind = columnClass(type);
  return { name, type: kind === 'integer' || kind === 'number' || kind === 'boolean' ? kind : 'text' };
}
