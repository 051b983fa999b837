// Extents of GeoJSON. Pure.

import type { FeatureCollection } from 'geojson';
import type { Extent } from './catalogue-state.ts';

/** Undefined: there is nothing, or it is not in degrees. */
export function extentOfShapes(shapes: FeatureCollection): Extent | undefined {
  let [west, south, east, north] = [180, 90, -180, -90];
  let hasPoint = false;
  let isForeign = false;
  const visit = (value: unknown): void => {
    if (!Array.isArray(value)) return;
    const [x, y] = value as readonly unknown[];
    if (typeof x === 'number' && typeof y === 'number') {
      if (Math.abs(x) > 360 || Math.abs(y) > 90) isForeign = true;
      hasPoint = true;
      west = Math.min(west, x);
      east = Math.max(east, x);
      south = Math.min(south, y);
      north = Math.max(north, y);
    } else for (const part of value) visit(part);
  };
  for (const { geometry } of shapes.features)
    if (geometry !== null && 'coordinates' in geometry) visit(geometry.coordinates);
  return hasPoint && !isForeign ? [west, south, east, north] : undefined;
}
