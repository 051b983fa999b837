// What of a layer is shown at a zoom: every feature, or a summary. Decided for the whole layer and zoom by its densest tile, never tile by tile, so that
// neighbouring tiles look alike. In a summary, features that fill a cell are drawn as they are, all others are aggregated in cells. Pure.

import { COUNT_ZOOM, type TileCounts } from './tile-counts.ts';

export type Detail = {
  /** The last zoom that is summarised; -1: none is. */
  readonly summaryTo: number;
  /** By zoom, up to `summaryTo`: which share of the features that fill a cell is drawn, the same ones in every tile. */
  readonly shares: readonly number[];
  /** By zoom, up to `summaryTo`: how many features of the layer fill a cell. */
  readonly large: readonly number[];
  /** The last zoom whose tiles have the columns of cells alone, since all columns of so many features are too much. */
  readonly bareTo: number;
};

/** Bytes of a feature in a tile: with the columns of cells, and with all of them. */
export type FeatureBytes = { readonly bare: number; readonly full: number };

/** What a browser takes in at once. */
const TILE_BYTES = 450_000;
const [FEWEST, MAX] = [1000, 15_000];

/** Features that fit into a tile, where each takes so many bytes. */
function featureLimit(bytes: number): number {
  return Math.max(FEWEST, Math.min(MAX, Math.floor(TILE_BYTES / bytes)));
}

export function decideDetail(counts: Pick<TileCounts, 'densest' | 'large'>, { bare, full }: FeatureBytes): Detail {
  const limit = featureLimit(bare);
  const densest = Array.from({ length: COUNT_ZOOM + 1 }, (_, zoom) => counts.densest(zoom));
  const summaryTo = densest.findLastIndex(({ all }) => all > limit);
  return {
    summaryTo,
    shares: densest.slice(0, summaryTo + 1).map(({ large }) => Math.min(1, limit / Math.max(1, large))),
    large: Array.from({ length: summaryTo + 1 }, (_, zoom) => counts.large(zoom)),
    bareTo: Math.max(
      summaryTo,
      densest.findLastIndex(({ all }) => all > featureLimit(full)),
    ),
  };
}
