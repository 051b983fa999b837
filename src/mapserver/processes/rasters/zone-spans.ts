// An area over a grid of pixels → in each row the columns whose centres lie in it. A centre on an edge belongs to the area right of the edge, and one
// on a corner to the area below: of areas that share their edges, each pixel is in one. Pure.

import type { Position } from '../../../geo/wkb.ts';

/** Columns from the first to before the second. */
export type Span = readonly [from: number, to: number];

/** In pixels: a centre is half a pixel from its corner. Rows run down. */
export type PixelRing = readonly Position[];

/** Spans of the rows `top` to before `bottom`, cut to `width` columns. Holes are rings as all others: what lies in an even number of them is outside. */
export function zoneSpans(
  rings: readonly PixelRing[],
  top: number,
  bottom: number,
  width: number,
): readonly (readonly Span[])[] {
  const crossings: number[][] = Array.from({ length: Math.max(0, bottom - top) }, () => []);
  for (const ring of rings)
    for (let i = 0; i < ring.length; i++) {
      const [from, to] = [ring[i], ring[i + 1] ?? ring[0]];
      if (from !== undefined && to !== undefined) cross(crossings, top, from, to);
    }
  return crossings.map((places) => spansOf(places, width));
}

/** Of rows `top` to before `bottom`, how many edges are crossed: what `zoneSpans` costs. */
export function crossingCount(rings: readonly PixelRing[], top: number, bottom: number): number {
  let count = 0;
  for (const ring of rings)
    for (let i = 0; i < ring.length; i++) {
      const [y0, y1] = [ring[i]?.[1] ?? 0, (ring[i + 1] ?? ring[0])?.[1] ?? 0];
      count += 1 + Math.max(0, Math.min(bottom, Math.max(y0, y1)) - Math.max(top, Math.min(y0, y1)));
    }
  return count;
}

function cross(crossings: number[][], top: number, [x0, y0]: Position, [x1, y1]: Position): void {
  if (y0 === y1) return;
  const [low, high] = y0 < y1 ? [y0, y1] : [y1, y0];
  // Rows whose centres lie between the ends, the upper end with them.
  const first = Math.max(0, Math.ceil(low - 0.5) - top);
  const last = Math.min(crossings.length, Math.ceil(high - 0.5) - top);
  const slope = (x1 - x0) / (y1 - y0);
  for (let row = first; row < last; row++) crossings[row]?.push(x0 + (row + top + 0.5 - y0) * slope);
}

function spansOf(places: number[], width: number): readonly Span[] {
  if (places.length === 0) return NONE;
  places.sort((one, other) => one - other);
  const spans: Span[] = [];
  for (let i = 0; i + 1 < places.length; i += 2) {
    const from = Math.max(0, Math.ceil((places[i] ?? 0) - 0.5));
    const to = Math.min(width, Math.ceil((places[i + 1] ?? 0) - 0.5));
    if (from < to) spans.push([from, to]);
  }
  return spans;
}

const NONE: readonly Span[] = [];
