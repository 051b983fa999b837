// Cells → clusters: circles that keep their distance, each where most of its points are, and every point in the one that is nearest. No grid shows, and
// tiles agree: what stands at a place follows from its surroundings alone, in whatever tile it is looked at. Pure.
//
// Which places have a circle is decided block by block, the block as wide as circles are apart. Blocks have four colours like a chessboard of two by two:
// those of one colour lie so far apart that none matters to another, and each colour looks at those before it. So a block depends on three around it at most.

import type { TileAddress } from '../../geo/tile.ts';
import { CELL_PIXELS, type Cell } from './cell.ts';

const TILE = 512;

/** How far apart circles are, in widths of a group: the largest of a size do hardly touch. */
const APART = 2 / 3;
/** Blocks that what is drawn in a tile can depend on: two of members and of circles that these could be nearer to, one it lies in, three by colours. */
const DEPENDS_ON = 6;
/** Places are a part of the width: of the points in one, their middle is what is known. */
const PLACES = 8;
/** In pixels: what is nearer is as good as one. */
const LEAST_PLACE = 8;
/** Digits behind the point of a pixel: sums of the same numbers in another order are not the same to the last bit. */
const EXACT = 16;

export type Cluster = {
  /** In pixels of the tile, from its upper left corner. */
  readonly middle: readonly [x: number, y: number];
  readonly n: number;
  /** Of one feature. */
  readonly key: string | undefined;
};

type Place = {
  readonly x: number;
  readonly y: number;
  readonly n: number;
  readonly key: string | undefined;
  readonly order: number;
};

/** Cells around a tile that its clusters follow from. */
export const clusterMargin = (size: number): number => Math.ceil((DEPENDS_ON * APART * size) / CELL_PIXELS);

/** Of those that stand in the tile. */
export function clusterCells(cells: readonly Cell[], size: number, { x, y }: TileAddress): readonly Cluster[] {
  const [left, top] = [x * TILE, y * TILE];
  if (cells.length === 0) return [];
  const places = placesOf(cells, Math.max(LEAST_PLACE, size / PLACES), left, top);
  const seeds = seedsOf(places, size * APART);
  const counts = new Map<Place, { n: number; key: string | undefined }>();
  for (const place of places) {
    const seed = seeds.nearest(place) ?? place;
    const known = counts.get(seed);
    if (known === undefined) counts.set(seed, { n: place.n, key: place.key });
    else {
      known.n += place.n;
      known.key = undefined;
    }
  }
  const clusters: Cluster[] = [];
  for (const [seed, { n, key }] of counts) {
    const middle = [seed.x - left, seed.y - top] as const;
    const isHere = middle.every((at) => at >= 0 && at < TILE);
    if (isHere) clusters.push({ middle, n, key });
  }
  return clusters;
}

/** Cells that lie together, with the middle of their points, in pixels of the world. */
function placesOf(cells: readonly Cell[], width: number, left: number, top: number): readonly Place[] {
  const sums = new Map<number, { x: number; y: number; n: number; key: string | undefined; kx: number; ky: number }>();
  for (const cell of cells) {
    const x = left + (cell.x + cell.px) * CELL_PIXELS;
    const y = top + (cell.y + cell.py) * CELL_PIXELS;
    const kx = Math.floor((left + cell.x * CELL_PIXELS) / width);
    const ky = Math.floor((top + cell.y * CELL_PIXELS) / width);
    // Of those of a tile and around it, no two are so many apart.
    const name = (kx % MANY) * MANY + (ky % MANY);
    const known = sums.get(name);
    if (known === undefined) sums.set(name, { x: x * cell.n, y: y * cell.n, n: cell.n, key: cell.key, kx, ky });
    else {
      known.x += x * cell.n;
      known.y += y * cell.n;
      known.n += cell.n;
      known.key = undefined;
    }
  }
  const exact = (at: number): number => Math.round(at * EXACT) / EXACT;
  return [...sums.values()].map(({ x, y, n, key, kx, ky }) => ({
    x: exact(x / n),
    y: exact(y / n),
    n,
    key,
    order: scattered(kx, ky),
  }));
}

const MANY = 4096;

type Seeds = { nearest(place: Place): Place | undefined };

/** Places that are no nearer to each other than `apart`, and of which every place has one within that. */
function seedsOf(places: readonly Place[], apart: number): Seeds {
  const columns = places.map(({ x }) => Math.floor(x / apart));
  const rows = places.map(({ y }) => Math.floor(y / apart));
  const [west, north] = [leastOf(columns), leastOf(rows)];
  // One block more on each side, where nothing is: none has to be looked for beyond the edge.
  const across = mostOf(columns) - west + 3;
  const blocks: Place[][] = Array.from({ length: across * (mostOf(rows) - north + 3) }, () => []);
  const chosen: Place[][] = blocks.map(() => []);
  const blockOf = ({ x, y }: Place): number =>
    (Math.floor(y / apart) - north + 1) * across + Math.floor(x / apart) - west + 1;
  for (const place of places) blocks[blockOf(place)]?.push(place);
  const around = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => dy * across + dx));
  const nearest = (place: Place): Place | undefined => {
    const block = blockOf(place);
    let found: Place | undefined;
    let least = apart ** 2;
    for (const step of around)
      for (const seed of chosen[block + step] ?? []) {
        const far = (seed.x - place.x) ** 2 + (seed.y - place.y) ** 2;
        if (far < least || (far === least && found !== undefined && comesFirst(seed, found))) {
          least = far;
          found = seed;
        }
      }
    return found;
  };
  for (const colour of [0, 1, 2, 3])
    for (const [block, inside] of blocks.entries()) {
      const [bx, by] = [(block % across) + west - 1, Math.floor(block / across) + north - 1];
      if (inside.length === 0 || (bx & 1) + 2 * (by & 1) !== colour) continue;
      for (const place of inside.sort((a, b) => (comesFirst(a, b) ? -1 : 1)))
        if (nearest(place) === undefined) chosen[block]?.push(place);
    }
  return { nearest };
}

const leastOf = (list: readonly number[]): number =>
  list.reduce((least, n) => Math.min(least, n), Number.POSITIVE_INFINITY);
const mostOf = (list: readonly number[]): number =>
  list.reduce((most, n) => Math.max(most, n), Number.NEGATIVE_INFINITY);

/** Where most points are; of places with as many, whichever. */
function comesFirst(one: Place, other: Place): boolean {
  if (one.n !== other.n) return one.n > other.n;
  if (one.order !== other.order) return one.order < other.order;
  return one.x === other.x ? one.y < other.y : one.x < other.x;
}

/** A number that is the same for a place in every tile, and tells nothing of where it is. */
function scattered(x: number, y: number): number {
  let mixed = Math.imul(x ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(y ^ 0x7f4a7c15, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
