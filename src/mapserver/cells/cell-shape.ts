// The shape in which a cell is drawn, in cells from the upper left corner of its tile: of points a point, of lines a stroke across the cell, of areas a
// square as large as what they cover together. Pure.

import type { GeometryKind } from '../../layer-ports/layer.ts';
import type { Cell } from './cell.ts';

export type CellShape =
  | { readonly type: 'Point'; readonly at: readonly [number, number] }
  | { readonly type: 'LineString'; readonly from: readonly [number, number]; readonly to: readonly [number, number] }
  | { readonly type: 'Polygon'; readonly box: readonly [xmin: number, ymin: number, xmax: number, ymax: number] };

/** From here on areas fill the cell: gaps between cells would be seen as a pattern. */
const FULL = 0.4;
/** Smaller squares are not seen. */
const LEAST = 0.25;

export function cellShape({ x, y, px, py, area }: Cell, kind: GeometryKind): CellShape {
  switch (kind) {
    case 'point':
      return { type: 'Point', at: [x + px, y + py] };
    case 'line':
      return { type: 'LineString', from: [x, y + 1], to: [x + 1, y] };
    case 'polygon':
    case 'mixed': {
      if (kind === 'mixed' && area === 0) return { type: 'Point', at: [x + px, y + py] };
      if (area >= FULL) return { type: 'Polygon', box: [x, y, x + 1, y + 1] };
      const side = Math.max(LEAST, Math.sqrt(area));
      const within = (place: number): number => Math.min(Math.max(place - side / 2, 0), 1 - side);
      const [left, top] = [x + within(px), y + within(py)];
      return { type: 'Polygon', box: [left, top, left + side, top + side] };
    }
  }
}
