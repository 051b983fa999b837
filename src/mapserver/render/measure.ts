// Where on a feature a label or a symbol belongs, and lines beside lines. Pure; all in pixels.

import type { Feature } from './read-features.ts';

export type Spot = readonly [x: number, y: number];

/** A point in the feature: the middle of the widest stretch inside of a polygon, half way along a line. */
export function middleOf({ type, parts }: Feature): Spot | undefined {
  switch (type) {
    case 'Point': {
      const [part] = parts;
      return part === undefined ? undefined : [part[0] ?? 0, part[1] ?? 0];
    }
    case 'LineString': {
      const line = longest(parts);
      const found = line === undefined ? undefined : alongLine(line);
      return found === undefined ? undefined : [found.x, found.y];
    }
    case 'Polygon':
      return insideOf(parts);
  }
}

/** Half way along, with the direction of the line there, read from left to right. */
export function alongLine(
  line: ArrayLike<number>,
): { x: number; y: number; angle: number; length: number } | undefined {
  let total = 0;
  for (let i = 2; i < line.length; i += 2) total += segment(line, i);
  if (total === 0) return undefined;
  let left = total / 2;
  for (let i = 2; i < line.length; i += 2) {
    const length = segment(line, i);
    if (length < left) {
      left -= length;
      continue;
    }
    const [x1, y1, x2, y2] = [line[i - 2] ?? 0, line[i - 1] ?? 0, line[i] ?? 0, line[i + 1] ?? 0];
    const share = length === 0 ? 0 : left / length;
    let angle = Math.atan2(y2 - y1, x2 - x1);
    if (angle > Math.PI / 2) angle -= Math.PI;
    if (angle < -Math.PI / 2) angle += Math.PI;
    return { x: x1 + (x2 - x1) * share, y: y1 + (y2 - y1) * share, angle, length: total };
  }
  return undefined;
}

function segment(line: ArrayLike<number>, i: number): number {
  return Math.hypot((line[i] ?? 0) - (line[i - 2] ?? 0), (line[i + 1] ?? 0) - (line[i - 1] ?? 0));
}

export function longest<T extends ArrayLike<number>>(parts: readonly T[]): T | undefined {
  let best: T | undefined;
  let most = -1;
  for (const part of parts) {
    let length = 0;
    for (let i = 2; i < part.length; i += 2) length += segment(part, i);
    if (length > most) [best, most] = [part, length];
  }
  return best;
}

/** The middle of mass of the largest ring, if it is inside; else the middle of the widest stretch at its height. */
function insideOf(rings: readonly ArrayLike<number>[]): Spot | undefined {
  let largest: ArrayLike<number> | undefined;
  let most = 0;
  let middle: Spot = [0, 0];
  for (const ring of rings) {
    let [area, cx, cy] = [0, 0, 0];
    const [ox, oy] = [ring[0] ?? 0, ring[1] ?? 0];
    for (let i = 2; i < ring.length; i += 2) {
      const [x1, y1] = [(ring[i - 2] ?? 0) - ox, (ring[i - 1] ?? 0) - oy];
      const [x2, y2] = [(ring[i] ?? 0) - ox, (ring[i + 1] ?? 0) - oy];
      const cross = x1 * y2 - x2 * y1;
      area += cross;
      cx += (x1 + x2) * cross;
      cy += (y1 + y2) * cross;
    }
    if (Math.abs(area) <= most) continue;
    most = Math.abs(area);
    largest = ring;
    middle = [ox + cx / (3 * area), oy + cy / (3 * area)];
  }
  if (largest === undefined) {
    const [first] = rings;
    return first === undefined ? undefined : [first[0] ?? 0, first[1] ?? 0];
  }
  const crossings = crossingsAt(rings, middle[1]);
  let best: readonly [number, number] | undefined;
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const [from = 0, to = 0] = [crossings[i], crossings[i + 1]];
    if (middle[0] >= from && middle[0] <= to) return middle;
    if (best === undefined || to - from > best[1] - best[0]) best = [from, to];
  }
  return best === undefined ? middle : [(best[0] + best[1]) / 2, middle[1]];
}

function crossingsAt(rings: readonly ArrayLike<number>[], y: number): number[] {
  const found: number[] = [];
  for (const ring of rings) {
    for (let i = 2; i < ring.length; i += 2) {
      const [x1, y1, x2, y2] = [ring[i - 2] ?? 0, ring[i - 1] ?? 0, ring[i] ?? 0, ring[i + 1] ?? 0];
      if (y1 <= y === y2 <= y) continue;
      found.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
    }
  }
  return found.sort((a, b) => a - b);
}

/** The line beside a line: to the right of its direction where the offset is positive. */
export function offsetLine(line: ArrayLike<number>, offset: number): Float64Array {
  const count = line.length / 2;
  const moved = new Float64Array(line.length);
  const normal = (i: number): Spot => {
    const [dx, dy] = [(line[i + 2] ?? 0) - (line[i] ?? 0), (line[i + 3] ?? 0) - (line[i + 1] ?? 0)];
    const length = Math.hypot(dx, dy) || 1;
    return [-dy / length, dx / length];
  };
  for (let i = 0; i < count; i++) {
    const before = i > 0 ? normal((i - 1) * 2) : normal(0);
    const after = i < count - 1 ? normal(i * 2) : before;
    const [nx, ny] = [(before[0] + after[0]) / 2, (before[1] + after[1]) / 2];
    // Corners are not drawn out further than twice the offset.
    const stretch = Math.max(0.5, nx * nx + ny * ny);
    moved[i * 2] = (line[i * 2] ?? 0) + (nx / stretch) * offset;
    moved[i * 2 + 1] = (line[i * 2 + 1] ?? 0) + (ny / stretch) * offset;
  }
  return moved;
}
