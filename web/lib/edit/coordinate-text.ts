// Coordinates as text that can be typed: a position a line (longitude, latitude, maybe a height), an empty line between parts, a line
// `hole` before a hole of a polygon. For who draws without a pointer, and for exact places. Pure.

import type { Geometry, Position } from 'geojson';
import { err, ok, type Result } from '../result.ts';

export type DrawKind = 'point' | 'line' | 'polygon';

export type CoordinateFault =
  | { readonly kind: 'not-a-position'; readonly line: number }
  | { readonly kind: 'off-earth'; readonly line: number }
  | { readonly kind: 'too-few'; readonly line: number; readonly least: number }
  | { readonly kind: 'several-parts' }
  | { readonly kind: 'empty' };

const HOLE = 'hole';

/** GeometryCollections have no such text. */
export function coordinateText(geometry: Geometry | null): string {
  if (geometry === null || geometry.type === 'GeometryCollection') return '';
  const line = (at: Position): string => at.join(', ');
  const path = (vertices: readonly Position[]): string => vertices.map(line).join('\n');
  const rings = (of: readonly Position[][]): string =>
    of.map((ring, i) => (i === 0 ? '' : `${HOLE}\n`) + path(ring.slice(0, -1))).join('\n');
  switch (geometry.type) {
    case 'Point':
      return line(geometry.coordinates);
    case 'MultiPoint':
      return geometry.coordinates.map(line).join('\n\n');
    case 'LineString':
      return path(geometry.coordinates);
    case 'MultiLineString':
      return geometry.coordinates.map(path).join('\n\n');
    case 'Polygon':
      return rings(geometry.coordinates);
    case 'MultiPolygon':
      return geometry.coordinates.map(rings).join('\n\n');
  }
}

type Part = { readonly from: number; readonly rings: Position[][] };

/** `isMulti`: the layer takes several parts. */
export function parseCoordinates(text: string, kind: DrawKind, isMulti: boolean): Result<Geometry, CoordinateFault> {
  const parts: Part[] = [];
  let part: Part | undefined;
  const lines = text.split('\n').map((one) => one.trim());
  for (const [i, line] of lines.entries()) {
    if (line === '') {
      part = undefined;
      continue;
    }
    if (line.toLowerCase() === HOLE && kind === 'polygon' && part !== undefined) {
      part.rings.push([]);
      continue;
    }
    const position = positionOf(line);
    if (position === undefined) return err({ kind: 'not-a-position', line: i + 1 });
    if (Math.abs(position[0] ?? 0) > 180 || Math.abs(position[1] ?? 0) > 90)
      return err({ kind: 'off-earth', line: i + 1 });
    if (part === undefined) {
      part = { from: i + 1, rings: [[]] };
      parts.push(part);
    }
    part.rings.at(-1)?.push(position);
  }
  if (parts.length === 0) return err({ kind: 'empty' });
  // Several points are several parts, with empty lines between them or not.
  const points = parts.flatMap(({ rings }) => rings.flat());
  if ((kind === 'point' ? points.length : parts.length) > 1 && !isMulti) return err({ kind: 'several-parts' });
  if (kind === 'point') {
    const [first = [0, 0]] = points;
    return ok(points.length > 1 ? { type: 'MultiPoint', coordinates: points } : { type: 'Point', coordinates: first });
  }
  const least = kind === 'line' ? 2 : 3;
  const paths: Position[][][] = [];
  for (const { from, rings } of parts) {
    const open = rings.map((ring) => (kind === 'polygon' && isClosed(ring) ? ring.slice(0, -1) : ring));
    if (open.some((ring) => ring.length < least)) return err({ kind: 'too-few', line: from, least });
    paths.push(kind === 'line' ? open : open.map((ring) => [...ring, ring[0] ?? [0, 0]]));
  }
  const [first = []] = paths;
  if (kind === 'line') {
    const [line = []] = first;
    return ok(
      paths.length > 1
        ? { type: 'MultiLineString', coordinates: paths.flat() }
        : { type: 'LineString', coordinates: line },
    );
  }
  return ok(paths.length > 1 ? { type: 'MultiPolygon', coordinates: paths } : { type: 'Polygon', coordinates: first });
}

function isClosed(ring: readonly Position[]): boolean {
  return ring.length > 3 && JSON.stringify(ring[0]) === JSON.stringify(ring.at(-1));
}

/** Numbers with a point, between them commas, semicolons or spaces. */
function positionOf(line: string): Position | undefined {
  const numbers = line.split(/[\s,;]+/).filter((part) => part !== '');
  if (numbers.length < 2 || numbers.length > 3) return undefined;
  const position = numbers.map(Number);
  return position.every(Number.isFinite) ? position : undefined;
}
