// How many features of a layer lie in each tile, at every zoom up to the one at which they are counted. Pure.

import type { TileAddress } from '../../geo/tile.ts';
import { atOnce, type Stage } from '../../kernel/in-slices.ts';

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
  densest(zoom: number): Densest;
  /** Features of the whole layer that fill a cell at a zoom. */
  large(zoom: number): number;
  /** Sums up what was added. Before that, whatever asks first does it at once: hundreds of thousands of tiles take seconds. */
  sum(): Stage<void>;
};

type Densest = { readonly all: number; readonly large: number };

type Sums = {
  /** By zoom: tile → features of each level. */
  readonly zooms: readonly ReadonlyMap<number, readonly number[]>[];
  readonly densest: readonly Densest[];
};

const SLICE = 1023;

export function makeTileCounts(): TileCounts {
  /** Level → tile → features. Levels are few. */
  const byLevel = new Map<number, Map<number, number>>();
  const ofLevel = new Map<number, number>();
  let summed: Sums | undefined;

  function* sum(): Stage<void> {
    if (summed !== undefined) return;
    const zooms = Array.from({ length: COUNT_ZOOM + 1 }, () => new Map<number, number[]>());
    const densest: Densest[] = [];
    let done = 0;
    for (const [level, tiles] of byLevel)
      for (const [key, n] of tiles) {
        addTo(zooms[COUNT_ZOOM], key, level, n);
        done += 1;
        if ((done & SLICE) === 0) yield;
      }
    for (let zoom = COUNT_ZOOM; zoom >= 0; zoom -= 1) {
      let [most, mostLarge] = [0, 0];
      for (const [key, levels] of zooms[zoom] ?? []) {
        let [all, large] = [0, 0];
        for (const [level, n] of levels.entries()) {
          all += n;
          if (level <= zoom) large += n;
          if (zoom > 0) addTo(zooms[zoom - 1], parentKey(key, zoom), level, n);
        }
        most = Math.max(most, all);
        mostLarge = Math.max(mostLarge, large);
        done += 1;
        if ((done & SLICE) === 0) yield;
      }
      densest[zoom] = { all: most, large: mostLarge };
    }
    summed = { zooms, densest };
  }
  const sums = (): Sums => {
    atOnce(sum());
    return summed ?? { zooms: [], densest: [] };
  };

  return {
    add(x, y, level, n) {
      const tiles = byLevel.get(level) ?? new Map<number, number>();
      byLevel.set(level, tiles);
      const key = keyOf(x, y, COUNT_ZOOM);
      tiles.set(key, (tiles.get(key) ?? 0) + n);
      ofLevel.set(level, (ofLevel.get(level) ?? 0) + n);
      summed = undefined;
    },
    at({ z, x, y }) {
      const zoom = Math.min(z, COUNT_ZOOM);
      const levels = sums().zooms[zoom]?.get(keyOf(x >> (z - zoom), y >> (z - zoom), zoom));
      return levels?.reduce((sum, n) => sum + n, 0) ?? 0;
    },
    large: (zoom) => [...ofLevel].reduce((sum, [level, n]) => (level <= zoom ? sum + n : sum), 0),
    densest: (zoom) => sums().densest[Math.min(zoom, COUNT_ZOOM)] ?? { all: 0, large: 0 },
    sum,
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
