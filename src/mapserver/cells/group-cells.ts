// Cells → groups: clusters (circles with how many points there are around) or hexagons (of a honeycomb, with a count, a sum or a mean). Every feature is
// counted once, in the group of its cell's middle. Pure.

import type { Group } from '../../geo/style/group.ts';
import type { TileAddress } from '../../geo/tile.ts';
import { CELL_PIXELS, type Cell } from './cell.ts';
import { clusterCells, clusterMargin } from './cluster-cells.ts';

/** In pixels of the tile, from its upper left corner. */
export type Place = readonly [x: number, y: number];

export type CellGroup = {
  /** Where a cluster is drawn; the middle of a hexagon. */
  readonly middle: Place;
  readonly n: number;
  /** Of the wanted number: its sum or mean; undefined: none is wanted, or no feature has one. */
  readonly value: number | undefined;
  /** Of a cluster of one feature. */
  readonly key: string | undefined;
};

const TILE = 512;

/** Cells around a tile that its groups follow from: hexagons reach over its edge, and are counted whole. */
export function groupMargin({ kind, size }: Group): number {
  return kind === 'cluster' ? clusterMargin(size) : Math.ceil((2 * size) / CELL_PIXELS);
}

/** `column`: where the wanted number is among those of the cells. */
export function groupCells(cells: readonly Cell[], group: Group, tile: TileAddress, column = -1): readonly CellGroup[] {
  if (group.kind === 'hexagon') return hexagonCells(cells, group, tile, column);
  return clusterCells(cells, group.size, tile).map((cluster) => ({ ...cluster, value: undefined }));
}

function hexagonCells(cells: readonly Cell[], group: Group, tile: TileAddress, column: number): readonly CellGroup[] {
  const groups = new Map<string, { readonly kx: number; readonly ky: number; n: number; sum: number; count: number }>();
  const [left, top] = [tile.x * TILE, tile.y * TILE];
  for (const cell of cells) {
    const x = left + (cell.x + cell.px) * CELL_PIXELS;
    const y = top + (cell.y + cell.py) * CELL_PIXELS;
    const [kx, ky] = hexagonAt(x, y, group.size);
    const name = `${kx} ${ky}`;
    const sum = cell.sums[column] ?? 0;
    const count = cell.counts[column] ?? 0;
    const known = groups.get(name);
    if (known === undefined) groups.set(name, { kx, ky, n: cell.n, sum, count });
    else {
      known.n += cell.n;
      known.sum += sum;
      known.count += count;
    }
  }
  return [...groups.values()].map(({ kx, ky, n, sum, count }) => {
    const middle: Place = [(kx * group.size) / 2 - left, (ky * group.size * Math.sqrt(3)) / 2 - top];
    const value = group.value === undefined || count === 0 ? undefined : group.value.of === 'sum' ? sum : sum / count;
    return { middle, n, value, key: undefined };
  });
}

/**
 * The middles of a honeycomb are those of two grids of upright rectangles, one in the gaps of the other: a point belongs to the nearer of the two that are
 * nearest to it. Counted in halves, so that even numbers are of the first grid and odd ones of the second.
 */
function hexagonAt(x: number, y: number, width: number): readonly [number, number] {
  const height = width * Math.sqrt(3);
  const even = [2 * Math.round(x / width), 2 * Math.round(y / height)] as const;
  const odd = [2 * Math.floor(x / width) + 1, 2 * Math.floor(y / height) + 1] as const;
  const far = ([kx, ky]: readonly [number, number]): number =>
    (x - (kx * width) / 2) ** 2 + (y - (ky * height) / 2) ** 2;
  return far(even) <= far(odd) ? even : odd;
}

/** The corners of a hexagon around its middle. */
export function hexagonCorners([x, y]: Place, size: number): readonly Place[] {
  const [half, side] = [size / 2, size / Math.sqrt(3)];
  return [
    [x, y - side],
    [x + half, y - side / 2],
    [x + half, y + side / 2],
    [x, y + side],
    [x - half, y + side / 2],
    [x - half, y - side / 2],
  ];
}

/** 950, 1.2k, 34k, 2.5M. */
export function shortCount(n: number): string {
  const short = (value: number, digits: number): string => String(Number(value.toFixed(digits)));
  if (n < 1000) return String(n);
  if (n < 10_000) return `${short(n / 1000, 1)}k`;
  if (n < 1_000_000) return `${short(n / 1000, 0)}k`;
  return n < 10_000_000 ? `${short(n / 1_000_000, 1)}M` : `${short(n / 1_000_000, 0)}M`;
}
