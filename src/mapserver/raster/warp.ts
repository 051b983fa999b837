// Where the pixels of a picture lie in a raster: an exact calculation on a coarse mesh, and straight lines in between, which nobody
// can see. Pure.

import type { Project } from '../../geo/projection.ts';
import type { View } from '../../geo/view.ts';
import type { Affine } from './open-raster.ts';

const STEP = 16;

export type Mesh = {
  readonly across: number;
  readonly down: number;
  /** Column and row in the finest level of each knot, by twos; NaN: nowhere. */
  readonly knots: Float64Array;
};

export function makeMesh(view: View, project: Project, affine: Affine): Mesh {
  const across = Math.ceil(view.width / STEP) + 1;
  const down = Math.ceil(view.height / STEP) + 1;
  const knots = new Float64Array(across * down * 2);
  const [xmin, ymin, xmax, ymax] = view.box;
  const [px, py] = [(xmax - xmin) / view.width, (ymax - ymin) / view.height];
  const { a, b, x0, d, e, y0 } = affine;
  const determinant = a * e - b * d;
  for (let j = 0; j < down; j++) {
    for (let i = 0; i < across; i++) {
      const at = (j * across + i) * 2;
      const place = project(xmin + i * STEP * px, ymax - j * STEP * py);
      if (place === undefined) {
        knots[at] = Number.NaN;
        knots[at + 1] = Number.NaN;
        continue;
      }
      const [x, y] = [place[0] - x0, place[1] - y0];
      knots[at] = (e * x - b * y) / determinant;
      knots[at + 1] = (a * y - d * x) / determinant;
    }
  }
  return { across, down, knots };
}

/** The columns and rows that the mesh touches, cut to the raster; undefined: none. */
export function meshWindow(
  { knots }: Mesh,
  width: number,
  height: number,
): readonly [left: number, top: number, right: number, bottom: number] | undefined {
  let [left, top, right, bottom] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (let i = 0; i < knots.length; i += 2) {
    const [column = Number.NaN, row = Number.NaN] = [knots[i], knots[i + 1]];
    if (Number.isNaN(column)) continue;
    if (column < left) left = column;
    if (column > right) right = column;
    if (row < top) top = row;
    if (row > bottom) bottom = row;
  }
  const window = [
    Math.max(0, Math.floor(left) - 1),
    Math.max(0, Math.floor(top) - 1),
    Math.min(width, Math.ceil(right) + 1),
    Math.min(height, Math.ceil(bottom) + 1),
  ] as const;
  return window[0] < window[2] && window[1] < window[3] ? window : undefined;
}

/** Columns and rows of one line of pixels, by twos. */
export function meshRow({ across, knots }: Mesh, y: number, out: Float64Array): void {
  const j = Math.floor(y / STEP);
  const v = (y + 0.5 - j * STEP) / STEP;
  for (let x = 0; x * 2 < out.length; x++) {
    const i = Math.floor(x / STEP);
    const u = (x + 0.5 - i * STEP) / STEP;
    const at = (j * across + i) * 2;
    const below = at + across * 2;
    for (let k = 0; k < 2; k++) {
      const upper = (knots[at + k] ?? 0) * (1 - u) + (knots[at + 2 + k] ?? 0) * u;
      const lower = (knots[below + k] ?? 0) * (1 - u) + (knots[below + 2 + k] ?? 0) * u;
      out[x * 2 + k] = upper * (1 - v) + lower * v;
    }
  }
}

/** How many columns of the finest level one pixel of the picture covers, about: in the middle of the mesh. */
export function meshScale({ across, down, knots }: Mesh): number {
  const sizes: number[] = [];
  for (let j = 0; j + 1 < down; j++) {
    for (let i = 0; i + 1 < across; i++) {
      const at = (j * across + i) * 2;
      const size =
        Math.hypot((knots[at + 2] ?? 0) - (knots[at] ?? 0), (knots[at + 3] ?? 0) - (knots[at + 1] ?? 0)) / STEP;
      if (Number.isFinite(size)) sizes.push(size);
    }
  }
  sizes.sort((one, other) => one - other);
  return sizes[sizes.length >> 1] ?? 1;
}
