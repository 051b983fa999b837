// Areas, one after the other → the numbers of a band whose pixels have their centres in them. Read block by block; those that were used last are
// kept, since neighbours come together. Bounded in what is read and looked at over all areas.

import type { ParsedGeometry, Position } from '../../../geo/wkb.ts';
import { makeByteCache } from '../../../kernel/byte-cache.ts';
import { inSlices, type Stage } from '../../../kernel/in-slices.ts';
import type { Affine } from '../../raster/open-raster.ts';
import type { Band, PixelNumbers } from './band.ts';
import { type PixelStatistics, type PixelTally, pixelTally } from './pixel-statistics.ts';
import { crossingCount, type PixelRing, type Span, zoneSpans } from './zone-spans.ts';

export class TooManyPixels extends Error {}

/** Of the edges of an area with the rows of a block: they are held in memory. */
const MAX_CROSSINGS = 8_000_000;

export type ZoneReader = {
  /** In the coordinate system of the raster; undefined: no pixel with a number is in it. Throws `TooManyPixels`, and what the signal throws. */
  read(shapes: readonly ParsedGeometry[], signal: AbortSignal): Promise<PixelStatistics | undefined>;
};

export type ZoneLimits = {
  /** Read, looked at, and crossed by edges, over all areas. */
  readonly pixels: number;
  readonly cacheBytes: number;
};

export function makeZoneReader(band: Band, isCounted: boolean, limits: ZoneLimits): ZoneReader {
  const cache = makeByteCache<PixelNumbers>(limits.cacheBytes);
  const [across, down] = band.block;
  let left = limits.pixels;
  const spend = (pixels: number): void => {
    left -= pixels;
    if (left < 0) throw new TooManyPixels();
  };
  const blockAt = async (column: number, row: number): Promise<PixelNumbers> => {
    const key = `${column}/${row}`;
    const kept = cache.get(key);
    if (kept !== undefined) return kept;
    const [x, y] = [column * across, row * down];
    const window = [x, y, Math.min(band.width, x + across), Math.min(band.height, y + down)] as const;
    spend((window[2] - window[0]) * (window[3] - window[1]));
    const numbers = await band.read(window);
    cache.set(key, numbers, numbers.byteLength);
    return numbers;
  };
  return {
    async read(shapes, signal) {
      const rings = shapes.flatMap((shape) =>
        shape.kind === 'polygons' ? shape.polygons.flatMap((polygon) => polygon.map(inPixels(band.affine))) : [],
      );
      const [top, bottom] = rowsOf(rings, band.height);
      const tally = pixelTally(isCounted);
      for (let row = Math.floor(top / down); row * down < bottom; row++) {
        const [from, to] = [Math.max(top, row * down), Math.min(bottom, (row + 1) * down)];
        const crossings = crossingCount(rings, from, to);
        if (crossings > MAX_CROSSINGS) throw new TooManyPixels();
        spend(crossings);
        const spans = zoneSpans(rings, from, to, band.width);
        const [first, last] = columnsOf(spans);
        for (let column = Math.floor(first / across); column * across < last; column++) {
          signal.throwIfAborted();
          if (!meetsBlock(spans, column * across, (column + 1) * across)) continue;
          const numbers = await blockAt(column, row);
          const x = column * across;
          const place = { x, width: Math.min(band.width, x + across) - x, skipped: from - row * down };
          spend(await inSlices(addSpans(tally, numbers, spans, place)));
        }
      }
      return tally.told();
    },
  };
}

function inPixels({ a, b, x0, d, e, y0 }: Affine): (ring: readonly Position[]) => PixelRing {
  const determinant = a * e - b * d;
  return (ring) =>
    ring.map(([px, py]): Position => {
      const [x, y] = [px - x0, py - y0];
      return [(e * x - b * y) / determinant, (a * y - d * x) / determinant];
    });
}

function rowsOf(rings: readonly PixelRing[], height: number): readonly [top: number, bottom: number] {
  let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const ring of rings)
    for (const [, y] of ring) {
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
  return top > bottom ? [0, 0] : [Math.max(0, Math.floor(top)), Math.min(height, Math.ceil(bottom))];
}

function columnsOf(rows: readonly (readonly Span[])[]): readonly [first: number, last: number] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const spans of rows) {
    first = Math.min(first, spans[0]?.[0] ?? first);
    last = Math.max(last, spans.at(-1)?.[1] ?? last);
  }
  return first > last ? [0, 0] : [first, last];
}

function meetsBlock(rows: readonly (readonly Span[])[], from: number, to: number): boolean {
  return rows.some((spans) => spans.some((span) => span[0] < to && span[1] > from));
}

type BlockPlace = {
  /** Its first column, and how many it has. */
  readonly x: number;
  readonly width: number;
  /** Rows of it above the first one that there are spans of. */
  readonly skipped: number;
};

/** How many pixels were looked at. */
function* addSpans(
  tally: PixelTally,
  numbers: PixelNumbers,
  rows: readonly (readonly Span[])[],
  { x, width, skipped }: BlockPlace,
): Stage<number> {
  let looked = 0;
  for (const [i, spans] of rows.entries()) {
    const start = (i + skipped) * width;
    for (const span of spans) {
      const [from, to] = [Math.max(0, span[0] - x), Math.min(width, span[1] - x)];
      if (from >= to) continue;
      tally.add(numbers, start + from, start + to);
      looked += to - from;
    }
    yield;
  }
  return looked;
}
