// Extents of items, from and to the forms in which they come. Degrees throughout.

import type { Extent } from './catalogue-state.ts';

type Ring = readonly (readonly number[])[];
type PolygonLike =
  | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] }
  | null
  | undefined;

/** Of a polygon as the catalogue has it; undefined where there is none, or nothing to look at. */
export function extentOf(polygon: PolygonLike): Extent | undefined {
  const rings = polygon?.type === 'MultiPolygon' ? polygon.coordinates.flat() : (polygon?.coordinates ?? []);
  const points = rings.flat();
  let [west, south, east, north] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (const [x = Number.NaN, y = Number.NaN] of points) {
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  return [west, south, east, north].every(Number.isFinite) ? [west, south, east, north] : undefined;
}

/** Around all of them. */
export function union(extents: readonly Extent[]): Extent | undefined {
  const [first, ...others] = extents;
  if (first === undefined) return undefined;
  return others.reduce<Extent>(
    (all, one) => [
      Math.min(all[0], one[0]),
      Math.min(all[1], one[1]),
      Math.max(all[2], one[2]),
      Math.max(all[3], one[3]),
    ],
    first,
  );
}

/** The map is cut off where Mercator's projection runs away. */
export function onMercator([west, south, east, north]: Extent): Extent {
  const within = (value: number, limit: number): number => Math.min(limit, Math.max(-limit, value));
  return [within(west, 180), within(south, 85), within(east, 180), within(north, 85)];
}

/** A ring around it, as GeoJSON wants it. */
export function ringOf([west, south, east, north]: Extent): [number, number][] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** Within the world, and all of it if as much is seen; a box whose west is greater than its east runs across the date line. */
export function boxInWorld([west, south, east, north]: Extent): Extent {
  const [low, high] = [Math.max(-90, south), Math.min(90, north)];
  return east - west >= 360 ? [-180, low, 180, high] : [wrapped(west), low, wrapped(east), high];
}

function wrapped(lng: number): number {
  return lng >= -180 && lng <= 180 ? lng : ((((lng + 180) % 360) + 360) % 360) - 180;
}
