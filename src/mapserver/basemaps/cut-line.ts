// Lines and rings cut to a box: Sutherland and Hodgman for rings, piece by piece for lines. Numbers by twos. Pure.

import type { Box } from '../../geo/projection.ts';

type Points = ArrayLike<number>;

/** What of a ring lies in the box; empty: nothing. Not closed. */
export function cutRing(ring: Points, box: Box): readonly number[] {
  let points: Points = ring;
  for (let side = 0; side < 4; side++) {
    const out: number[] = [];
    const axis = side % 2;
    const limit = box[side] ?? 0;
    const isIn = (value: number): boolean => (side < 2 ? value >= limit : value <= limit);
    const count = points.length / 2;
    for (let i = 0; i < count; i++) {
      const j = (i + count - 1) % count;
      const [px, py, x, y] = [points[j * 2] ?? 0, points[j * 2 + 1] ?? 0, points[i * 2] ?? 0, points[i * 2 + 1] ?? 0];
      const [before, now] = axis === 0 ? [px, x] : [py, y];
      if (isIn(before) !== isIn(now)) {
        const share = (limit - before) / (now - before);
        out.push(px + (x - px) * share, py + (y - py) * share);
      }
      if (isIn(now)) out.push(x, y);
    }
    points = out;
    if (out.length === 0) return out;
  }
  return points as readonly number[];
}

/** The pieces of a line that have a part in the box; what lies just outside may come along. */
export function cutLine(line: Points, [xmin, ymin, xmax, ymax]: Box): readonly (readonly number[])[] {
  const pieces: number[][] = [];
  let piece: number[] = [];
  for (let i = 0; i + 3 < line.length; i += 2) {
    const [x, y, u, v] = [line[i] ?? 0, line[i + 1] ?? 0, line[i + 2] ?? 0, line[i + 3] ?? 0];
    const isSeen = Math.max(x, u) >= xmin && Math.min(x, u) <= xmax && Math.max(y, v) >= ymin && Math.min(y, v) <= ymax;
    if (!isSeen) {
      if (piece.length > 0) pieces.push(piece);
      piece = [];
      continue;
    }
    if (piece.length === 0) piece.push(x, y);
    piece.push(u, v);
  }
  if (piece.length > 0) pieces.push(piece);
  return pieces;
}
