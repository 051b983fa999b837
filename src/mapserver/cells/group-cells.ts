// Cells → groups: clusters (a circle per square of a grid, with how many points it has) or hexagons (of a honeycomb, with a count, a sum or a mean). Every
// feature is counted once, in the group of its cell's middle. Pure.

import type { Group } from '../../geo/style/group.ts';
import type { TileAddress } from '../../geo/tile.ts';
import { CELL_PIXELS, type Cell } from './cell.ts';

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

/** Cells around a tile that its groups are made of: hexagons reach over its edge, and are counted whole. */
export function groupMargin({ kind, size }: Group): number {
  return kind === 'cluster' ? 0 : Math.ceil((2 * size) / CELL_PIXELS);
}

/** `column`: where the wanted number is among those of the cells. */
export function groupCells(cells: readonly Cell[], group: Group, tile: TileAddress, column = -1): readonly CellGroup[] {
  const groups = new Map<
    string,
    { x: number; y: number; kx: number; ky: number; n: number; sum: number; count: number; key: string | undefined }
  >();
  const [left, top] = [tile.x * TILE, tile.y * TILE];
  for (const cell of cells) {
    const x = left + (cell.x + cell.px) * CELL_PIXELS;
    const y = top + (cell.y + cell.py) * CELL_PIXELS;
    const [kx, ky] =
      group.kind === 'cluster' ? [Math.floor(x / group.size), Math.floor(y / group.size)] : hexagonAt(x, y, group.size);
    const name = `${kx} ${ky}`;
    const sum = cell.sums[column] ?? 0;
    const count = cell.counts[column] ?? 0;
    const known = groups.get(name);
    if (known === undefined)
      groups.set(name, { x: x * cell.n, y: y * cell.n, kx, ky, n: cell.n, sum, count, key: cell.key });
    else {
      known.x += x * cell.n;
      known.y += y * cell.n;
      known.n += cell.n;
      known.sum += sum;
      known.count += count;
      known.key = undefined;
    }
  }
  return [...groups.values()].map(({ x, y, kx, ky, n, sum, count, key }) => {
    const middle: Place =
      group.kind === 'cluster'
        ? [inner(x / n, kx, group.size, n) - left, inner(y / n, ky, group.size, n) - top]
        : [(kx * group.size) / 2 - left, (ky * group.size * Math.sqrt(3)) / 2 - top];
    const value = group.value === undefined || count === 0 ? undefined : group.value.of === 'sum' ? sum : sum / count;
    return { middle, n, value, key };
  });
}

/** Not at the edge of its square, where the next cluster could cover it. One point stands where it is. */
function inner(place: number, k: number, size: number, n: number): number {
  return n === 1 ? place : Math.min(Math.max(place, (k + 0.25) * size), (k + 0.75) * size);
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
