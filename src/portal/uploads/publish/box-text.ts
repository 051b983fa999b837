// An extent → the polygon that the catalogue keeps, as text. Pure.

import type { Extent } from '../../../layer-ports/staged.ts';

/** A point has a box, too, if a very small one. */
export function boxText([xmin, ymin, xmax, ymax]: Extent, srid: number): string {
  const grow = (low: number, high: number): readonly [number, number] => {
    if (high > low) return [low, high];
    const margin = Math.max(Math.abs(low) * 1e-9, 1e-9);
    return [low - margin, high + margin];
  };
  const [west, east] = grow(xmin, xmax);
  const [low, high] = grow(ymin, ymax);
  const [south, north] = srid === 4326 ? [Math.max(low, -90), Math.min(high, 90)] : [low, high];
  const ring = [
    [west, south],
    [west, north],
    [east, north],
    [east, south],
    [west, south],
  ];
  return `SRID=${srid};POLYGON((${ring.map((position) => position.join(' ')).join(', ')}))`;
}
