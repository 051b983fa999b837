// The grid of a coverage: where its pixels lie in its own coordinate system, north up. A raster that is turned has none of its own:
// the one that is offered lies around it. Pure.

import { isNorthFirst } from '../../geo/axis-order.ts';
import { crsUri } from '../../geo/crs.ts';
import type { Box } from '../../geo/projection.ts';
import type { OpenRaster } from '../raster/open-raster.ts';

export type CoverageGrid = {
  /** Edges of the outer pixels, x first. */
  readonly box: Box;
  readonly width: number;
  readonly height: number;
  readonly dx: number;
  readonly dy: number;
  /** The pixels of the grid are those of the file. */
  readonly isNative: boolean;
};

export function gridOf({ affine, levels }: Pick<OpenRaster, 'affine' | 'levels'>): CoverageGrid {
  const { a, b, x0, d, e, y0 } = affine;
  const [{ width, height } = { width: 1, height: 1 }] = levels;
  if (b === 0 && d === 0 && a > 0 && e < 0) {
    const box: Box = [x0, y0 + e * height, x0 + a * width, y0];
    return { box, width, height, dx: a, dy: -e, isNative: true };
  }
  const corners = [0, 1, 2, 3].map((i) => {
    const [c, r] = [i % 2 === 0 ? 0 : width, i < 2 ? 0 : height];
    return [x0 + a * c + b * r, y0 + d * c + e * r] as const;
  });
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [xmin, ymin, xmax, ymax] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const [dx, dy] = [Math.hypot(a, d), Math.hypot(b, e)];
  const columns = Math.max(1, Math.round((xmax - xmin) / dx));
  const rows = Math.max(1, Math.round((ymax - ymin) / dy));
  const box: Box = [xmin, ymax - rows * dy, xmin + columns * dx, ymax];
  return { box, width: columns, height: rows, dx, dy, isNative: false };
}

/** From here on are systems that came with somebody's data and are in no register. */
const FIRST_OWN_SRID = 960_000;

/** How the service calls a system and its axes, in their order. */
export type AxisNames = {
  readonly uri: string;
  readonly isNorthFirst: boolean;
  readonly labels: readonly [string, string];
  readonly units: string;
};

export function axesOf(srid: number, isGeographic: boolean): AxisNames {
  const isOwn = srid >= FIRST_OWN_SRID;
  const northFirst = !isOwn && isNorthFirst(srid);
  const [x, y] = isGeographic ? ['Long', 'Lat'] : ['E', 'N'];
  return {
    uri: isOwn ? `SURVEST:${srid}` : crsUri(srid),
    isNorthFirst: northFirst,
    labels: northFirst ? [y, x] : [x, y],
    units: isGeographic ? 'deg deg' : 'm m',
  };
}

/** Two numbers in the order of the system. */
export function ordered({ isNorthFirst: north }: Pick<AxisNames, 'isNorthFirst'>, x: number, y: number): string {
  return north ? `${y} ${x}` : `${x} ${y}`;
}
