// A picture → the tiles that cover it, as viewers would choose them. Pure.

import type { Box } from '../../geo/projection.ts';
import { type TileAddress, tileSpan, WORLD_HALF } from '../../geo/tile.ts';
import type { View } from '../../geo/view.ts';

export type TileGrid = {
  readonly tileSize: number;
  readonly minzoom: number;
  readonly maxzoom: number;
  /** Pictures look best near their own size; vectors are drawn larger, never smaller. */
  readonly kind: 'pictures' | 'vectors';
};

/** `box`: where it lies in pixels of the picture, on whole ones, so that neighbours leave no gap: left, top, right, bottom. */
export type PlacedTile = { readonly tile: TileAddress; readonly box: Box };

/** A view of 480 × 320 pixels needs twelve of 256 at most; more are those of a basemap that begins nearer by. */
const MAX_TILES = 24;

/** Undefined: they would be too many. */
export function viewTiles(view: View, grid: TileGrid): readonly PlacedTile[] | undefined {
  const [xmin, ymin, xmax, ymax] = view.box;
  const resolution = (xmax - xmin) / view.width;
  const exact = Math.log2((2 * WORLD_HALF) / grid.tileSize / resolution);
  const near = grid.kind === 'pictures' ? Math.round(exact) : Math.floor(exact + 1e-9);
  const z = Math.max(grid.minzoom, Math.min(grid.maxzoom, near));
  const [span, count] = [tileSpan(z), 2 ** z];
  const left = Math.floor((xmin + WORLD_HALF) / span);
  const right = Math.ceil((xmax + WORLD_HALF) / span) - 1;
  const top = Math.max(0, Math.floor((WORLD_HALF - ymax) / span));
  const bottom = Math.min(count - 1, Math.ceil((WORLD_HALF - ymin) / span) - 1);
  if ((right - left + 1) * (bottom - top + 1) > MAX_TILES) return undefined;
  const across = (column: number): number => Math.round((column * span - WORLD_HALF - xmin) / resolution);
  const down = (row: number): number => Math.round(((ymax - WORLD_HALF + row * span) / (ymax - ymin)) * view.height);
  const tiles: PlacedTile[] = [];
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++)
      tiles.push({
        // Beyond the edge of the world it begins again.
        tile: { z, x: ((column % count) + count) % count, y: row },
        box: [across(column), down(row), across(column + 1), down(row + 1)],
      });
  return tiles;
}
