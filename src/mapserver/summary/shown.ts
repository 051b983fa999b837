// What of a layer is shown at a zoom, where a caller asks for all of it or for what passes a filter. The answer is the same for every tile of the
// zoom. Pure.

import { type TileAddress, tileDegrees } from '../../geo/tile.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import { shareOf } from '../query/box-sql.ts';

/** Of a layer without an overview: features of a tile that are drawn one by one, about. */
const CROWD = 10_000;
/** Features are not spread evenly: the densest tile has so many times the mean, as a rule. */
const UNEVEN = 4;

/** If so few features of the whole layer pass a filter, they are drawn as they are at every zoom. */
export const FEW_PASSING = 10_000;

/** The last zoom at which the layer is summarised; -1: none. */
export function summaryTo(layer: VectorLayer): number {
  if (layer.overview !== undefined) return layer.overview.summaryTo;
  if (layer.estimatedRows <= CROWD) return -1;
  const [west, south, east, north] = layer.extent?.wgs84 ?? [-180, -85, 180, 85];
  const part = Math.max(1e-12, ((east - west) / 360) * ((north - south) / 170));
  // Tiles that the layer fills, at which each has few enough.
  const tiles = (layer.estimatedRows * UNEVEN) / CROWD;
  return Math.max(0, Math.min(16, Math.ceil(Math.log2(tiles / part) / 2) - 1));
}

/** Rows that a picture may look at one by one. */
const FEW_ROWS = 30_000;

/**
 * Whether features that fill a cell are drawn themselves, instead of being counted in it. They are found by the index that comes with an overview:
 * without it every picture looks at every row, for which others wait where those are many.
 */
export function drawsLarge({ geometry, overview, estimatedRows }: VectorLayer): boolean {
  return geometry.kind !== 'point' && (overview !== undefined || estimatedRows <= FEW_ROWS);
}

/** Percent of the table that is looked at, so that no more than `most` rows are; undefined: all of it. */
export function sampleFor(layer: VectorLayer, tile: TileAddress, most: number): number | undefined {
  const expected = layer.estimatedRows * shareOf(layer.extent?.wgs84, tileDegrees(tile));
  return expected > most ? Math.max(0.0001, (100 * most) / expected) : undefined;
}
