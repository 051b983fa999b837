// How many features of a layer lie in each tile, at every zoom up to the one at which they are counted. Pure.

import type { TileAddress } from '../../geo/tile.ts';

/** Tiles are counted at this zoom, and summed up above it. */
export const COUNT_ZOOM = 16;
/** The level of features that never fill a cell: points. */
export const NO_LEVEL = 31;

export type TileCounts = {
  /** `level`: the zoom from which on the features fill a cell. */
  add(x: number, y: number, level: number, n: number): void;
  /** Features whose middle lies in the tile. Below COUNT_ZOOM: in the tile of that zoom around it. */
  at(tile: TileAddress): number;
  /** Of the tile of a zoom that has the most: its features, and those of them that fill a cell. */
  densest(zoom: number): { readonly all: number; readonly large: number };
  /** Features of the whole layer that fill a cell at a zoom. */
  large(zoom: number): number;
};

export function makeTileCounts(): TileCounts {
  /** By zoom: level → tile → features. Levels are few. */
  const byLevel = new Map<number, Map<number, number>>();
  let summed: readonly ReadonlyMap<number, readonly number[]>[] | undefined;

  /** By zoom: tile → features of each level. */
  const sums = (): readonly ReadonlyMap<number, readonly number[]>[] => {
    if (summed !== undefined) return summed;
    const zooms = Array.from({ length: COUNT_ZOOM + 1 }, () => new Map<number, number[]>());
    for (const [level, tiles] of byLevel) for (const [key, n] of tiles) addTo(zooms[COUNT_ZOOM], key, level, n);
    for (let zoom = COUNT_ZOOM - 1; zoom >= 0; zoom -= 1)
      for (const [key, levels] of zooms[zoom + 1] ?? [])
        for (const [level, n] of levels.entries()) addTo(zooms[zoom], parentKey(key, zoom + 1), level, n);
    summed = zooms;
    return zooms;
  };

  return {
    add(x, y, level, n) {
      const tiles = byLevel.get(level) ?? new Map<number, number>();
      byLevel.set(level, tiles);
      const key = keyOf(x, y, COUNT_ZOOM);
      tiles.set(key, (tiles.get(key) ?? 0) + n);
      summed = undefined;
    },
    at({ z, x, y }) {
      const zoom = Math.min(z, COUNT_ZOOM);
      const levels = sums()[zoom]?.get(keyOf(x >> (z - zoom), y >> (z - zoom), zoom));
      return levels?.reduce((sum, n) => sum + n, 0) ?? 0;
    },
    large(zoom) {
      let n = 0;
      for (const [level, tiles] of byLevel) if (level <= zoom) for (const count of tiles.values()) n += count;
      return n;
    },
    densest(zoom) {
      let [all, large] = [0, 0];
      for (const levels of sums()[Math.min(zoom, COUNT_ZOOM)]?.values() ?? []) {
        all = Math.max(
          all,
          levels.reduce((sum, n) => sum + n, 0),
        );
        large = Math.max(
          large,
          levels.reduce((sum, n, level) => (level <= zoom ? sum + n : sum), 0),
        );
      }
      return { all, large };
    },
  };
}

function keyOf(x: number, y: number, zoom: number): number {
  return y * 2 ** zoom + x;
}

function parentKey(key: number, zoom: number): number {
  const width = 2 ** zoom;
  return keyOf((key % width) >> 1, Math.floor(key / width) >> 1, zoom - 1);
}

function addTo(tiles: Map<number, number[]> | undefined, key: number, level: number, n: number): void {
  if (tiles === undefined || n === 0) return;
  let levels = tiles.get(key);
  if (levels === undefined) {
    levels = [];
    tiles.set(key, levels);
  }
  // No holes: a list with holes is a slow one.
  while (levels.length <= level) levels.push(0);
  levels[level] = (levels[level] ?? 0) + n;
}
