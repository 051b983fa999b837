// Lengths and areas on the globe, as a sphere: within half a percent of the ellipsoid. Pure.

export type Point = readonly [lng: number, lat: number];

const RADIUS_M = 6_371_008.8;
const rad = (degrees: number): number => (degrees * Math.PI) / 180;

export function distance([lng1, lat1]: Point, [lng2, lat2]: Point): number {
  const a =
    Math.sin(rad(lat2 - lat1) / 2) ** 2 +
    Math.cos(rad(lat1)) * Math.cos(rad(lat2)) * Math.sin(rad(lng2 - lng1) / 2) ** 2;
  return 2 * RADIUS_M * Math.asin(Math.min(1, Math.sqrt(a)));
}

export function lengthOf(points: readonly Point[]): number {
  let sum = 0;
  for (let i = 1; i < points.length; i += 1) sum += distance(points[i - 1] ?? [0, 0], points[i] ?? [0, 0]);
  return sum;
}

/** Within the ring through the points; the last is joined to the first. */
export function areaOf(points: readonly Point[]): number {
  if (points.length < 3) return 0;
  let sum = 0;
  for (let i = 0; i < points.length; i += 1) {
    const [lng1, lat1] = points[i] ?? [0, 0];
    const [lng2, lat2] = points[(i + 1) % points.length] ?? [0, 0];
    sum += rad(lng2 - lng1) * (2 + Math.sin(rad(lat1)) + Math.sin(rad(lat2)));
  }
  return Math.abs((sum * RADIUS_M * RADIUS_M) / 2);
}

export type Measured = { readonly value: number; readonly unit: 'm' | 'km' | 'm²' | 'ha' | 'km²' };

export function readableLength(metres: number): Measured {
  return metres < 2000 ? { value: metres, unit: 'm' } : { value: metres / 1000, unit: 'km' };
}

export function readableArea(squareMetres: number): Measured {
  if (squareMetres < 20_000) return { value: squareMetres, unit: 'm²' };
  return squareMetres < 2_000_000
    ? { value: squareMetres / 10_000, unit: 'ha' }
    : { value: squareMetres / 1_000_000, unit: 'km²' };
}
