// GeoJSON geometries (RFC 7946) from outside → checked ones. A geometry that passes here is one the database can read.

import { err, ok, type Result } from '../kernel/result.ts';

export type GeoPosition = readonly number[];
export type GeoGeometry =
  | { readonly type: 'Point'; readonly coordinates: GeoPosition }
  | { readonly type: 'MultiPoint' | 'LineString'; readonly coordinates: readonly GeoPosition[] }
  | { readonly type: 'MultiLineString' | 'Polygon'; readonly coordinates: readonly (readonly GeoPosition[])[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly (readonly GeoPosition[])[])[] }
  | { readonly type: 'GeometryCollection'; readonly geometries: readonly GeoGeometry[] };

export type GeometryError = { readonly kind: 'bad-geometry'; readonly said: string };

/** Collections in collections. */
const MAX_DEPTH = 8;
const MAX_POSITIONS = 1_000_000;

export function parseGeometry(value: unknown): Result<GeoGeometry, GeometryError> {
  const count = { positions: 0 };
  const said = complaint(value, count, 0);
  return said === undefined ? ok(value as GeoGeometry) : err({ kind: 'bad-geometry', said });
}

type Count = { positions: number };

function complaint(value: unknown, count: Count, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'a geometry is an object';
  if (depth > MAX_DEPTH) return 'the geometry is nested too deeply';
  const { type, coordinates, geometries } = value as Record<string, unknown>;
  switch (type) {
    case 'Point':
      return position(coordinates, count);
    case 'MultiPoint':
      return each(coordinates, 1, (one) => position(one, count));
    case 'LineString':
      return each(coordinates, 2, (one) => position(one, count));
    case 'MultiLineString':
      return each(coordinates, 1, (line) => each(line, 2, (one) => position(one, count)));
    case 'Polygon':
      return polygon(coordinates, count);
    case 'MultiPolygon':
      return each(coordinates, 1, (one) => polygon(one, count));
    case 'GeometryCollection':
      return each(geometries, 0, (one) => complaint(one, count, depth + 1));
    default:
      return 'the type of a geometry is Point, LineString, Polygon, their Multi forms, or GeometryCollection';
  }
}

function polygon(value: unknown, count: Count): string | undefined {
  return each(value, 1, (ring) => {
    const said = each(ring, 4, (one) => position(one, count));
    if (said !== undefined) return said;
    const [first, last] = [(ring as GeoPosition[])[0], (ring as GeoPosition[]).at(-1)];
    return first?.every((n, i) => n === last?.[i]) === true ? undefined : 'a ring ends where it begins';
  });
}

function each(value: unknown, least: number, check: (one: unknown) => string | undefined): string | undefined {
  if (!Array.isArray(value)) return 'coordinates are lists';
  if (value.length < least) return `at least ${least} positions or parts are needed`;
  for (const one of value) {
    const said = check(one);
    if (said !== undefined) return said;
  }
  return undefined;
}

function position(value: unknown, count: Count): string | undefined {
  count.positions += 1;
  if (count.positions > MAX_POSITIONS) return 'the geometry has too many positions';
  if (!Array.isArray(value) || value.length < 2 || value.length > 3) return 'a position has two or three numbers';
  for (const n of value) if (typeof n !== 'number' || !Number.isFinite(n)) return 'a position has two or three numbers';
  return undefined;
}

/** Are all positions on the earth, as degrees? */
export function isOnEarth(geometry: GeoGeometry, isNorthFirst = false): boolean {
  return isNorthFirst ? positionsWithin(geometry, 90, 540) : positionsWithin(geometry, 540, 90);
}

function positionsWithin(geometry: GeoGeometry, x: number, y: number): boolean {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.every((one) => positionsWithin(one, x, y));
  const walk = (value: readonly unknown[] | number): boolean => {
    if (typeof value === 'number') return true;
    const [first, second] = value;
    if (typeof first === 'number' && typeof second === 'number') return Math.abs(first) <= x && Math.abs(second) <= y;
    return value.every((one) => walk(one as readonly unknown[]));
  };
  return walk(geometry.coordinates as readonly unknown[]);
}
