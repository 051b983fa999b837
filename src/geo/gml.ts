// Geometries of GML 3.2, 3.1 and 2 as trees of elements → GeoJSON in degrees, longitude first. Simple features alone: arcs, solids and references
// to elsewhere are none of them. Pure.

import { isNorthFirst } from './axis-order.ts';
import { parseCrs } from './crs.ts';
import type { GeoGeometry, GeoPosition } from './geojson.ts';
import { childOf, childrenOf, textOf, type XmlElement } from './style/xml-tree.ts';

/** Coordinates of a system → degrees; undefined: the system is none that is known here. */
type ToDegrees = (first: number, second: number) => GeoPosition;

const HALF_M = 20_037_508.342789244;
/** Beyond the systems of the earth that count in degrees anyway. */
const DEGREES: ReadonlySet<number> = new Set([4326, 4979, 4258, 4269, 4937, 4617, 4283]);
const WEB: ReadonlySet<number> = new Set([3857, 900913, 102100]);
const MAX_DEPTH = 8;

export const GML_GEOMETRIES: ReadonlySet<string> = new Set([
  'Point',
  'LineString',
  'Curve',
  'Polygon',
  'Surface',
  'MultiPoint',
  'MultiLineString',
  'MultiCurve',
  'MultiPolygon',
  'MultiSurface',
  'CompositeCurve',
  'CompositeSurface',
  'MultiGeometry',
]);

/** `srs`: what the system is called where the geometry does not say. Undefined: it is no geometry that can be shown. */
export function gmlGeometry(element: XmlElement, srs: string, depth = 0): GeoGeometry | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const named = element.attributes['srsName'] ?? srs;
  const toDegrees = degreesFrom(named);
  if (toDegrees === undefined) return undefined;
  const inside = (...names: readonly string[]): readonly XmlElement[] =>
    childrenOf(element, ...names).flatMap((member) => childrenOf(member));
  const lines = (members: readonly XmlElement[]): readonly (readonly GeoPosition[])[] =>
    members.flatMap((one) => {
      const line = gmlGeometry(one, named, depth + 1);
      return line?.type === 'LineString' ? [line.coordinates] : [];
    });
  switch (element.name) {
    case 'Point': {
      const [position] = positionsOf(element, toDegrees);
      return position === undefined ? undefined : { type: 'Point', coordinates: position };
    }
    case 'LineString':
      return lineOf(positionsOf(element, toDegrees));
    case 'Curve':
      return lineOf(
        childrenOf(childOf(element, 'segments'), 'LineStringSegment').flatMap((one) => positionsOf(one, toDegrees)),
      );
    case 'CompositeCurve':
      return lineOf(lines(inside('curveMember')).flat());
    case 'Polygon':
      return polygonOf(element, toDegrees);
    case 'Surface':
    case 'CompositeSurface': {
      const patches = [
        ...childrenOf(childOf(element, 'patches', 'polygonPatches'), 'PolygonPatch'),
        ...inside('surfaceMember'),
      ];
      return polygonsOf(patches, toDegrees);
    }
    case 'MultiPoint': {
      const points = inside('pointMember', 'pointMembers').flatMap((one) => positionsOf(one, toDegrees));
      return points.length === 0 ? undefined : { type: 'MultiPoint', coordinates: points };
    }
    case 'MultiLineString':
    case 'MultiCurve': {
      const all = lines(inside('lineStringMember', 'curveMember', 'curveMembers'));
      return all.length === 0 ? undefined : { type: 'MultiLineString', coordinates: all };
    }
    case 'MultiPolygon':
    case 'MultiSurface': {
      const polygons = inside('polygonMember', 'surfaceMember', 'surfaceMembers').flatMap((one) => {
        const found = gmlGeometry(one, named, depth + 1);
        return found?.type === 'Polygon'
          ? [found.coordinates]
          : found?.type === 'MultiPolygon'
            ? found.coordinates
            : [];
      });
      return polygons.length === 0 ? undefined : { type: 'MultiPolygon', coordinates: polygons };
    }
    case 'MultiGeometry': {
      const parts = inside('geometryMember', 'geometryMembers').flatMap(
        (one) => gmlGeometry(one, named, depth + 1) ?? [],
      );
      return parts.length === 0 ? undefined : { type: 'GeometryCollection', geometries: parts };
    }
    default:
      return undefined;
  }
}

/** Names with an authority in them have the order of that authority; the short ones and those of GML 2 have x first, as their services write it. */
function degreesFrom(srs: string): ToDegrees | undefined {
  const crs = parseCrs(srs.slice(0, 200));
  if (crs === undefined) return undefined;
  const isSwapped = isNorthFirstName(srs);
  if (DEGREES.has(crs.srid)) return (first, second) => (isSwapped ? [second, first] : [first, second]);
  if (!WEB.has(crs.srid)) return undefined;
  return (x, y) => [(x / HALF_M) * 180, (Math.atan(Math.sinh((y / HALF_M) * Math.PI)) * 180) / Math.PI];
}

/** Is the first coordinate the northern one in a system that is named so? */
export function isNorthFirstName(srs: string): boolean {
  const crs = parseCrs(srs.slice(0, 200));
  const isShort = /^\[?EPSG:|epsg\.xml#/i.test(srs);
  return crs !== undefined && !crs.isCrs84 && !isShort && isNorthFirst(crs.srid);
}

function lineOf(positions: readonly GeoPosition[]): GeoGeometry | undefined {
  return positions.length < 2 ? undefined : { type: 'LineString', coordinates: positions };
}

function ringsOf(polygon: XmlElement, toDegrees: ToDegrees): readonly (readonly GeoPosition[])[] {
  const ring = (boundary: XmlElement): readonly (readonly GeoPosition[])[] => {
    const linear = childOf(boundary, 'LinearRing');
    const segments = childrenOf(childOf(boundary, 'Ring'), 'curveMember').flatMap((member) =>
      childrenOf(member).flatMap((curve) => [
        ...childrenOf(childOf(curve, 'segments'), 'LineStringSegment'),
        ...(curve.name === 'LineString' ? [curve] : []),
      ]),
    );
    const positions = (linear === undefined ? segments : [linear]).flatMap((one) => positionsOf(one, toDegrees));
    return positions.length < 4 ? [] : [positions];
  };
  const outer = childrenOf(polygon, 'exterior', 'outerBoundaryIs').slice(0, 1).flatMap(ring);
  return outer.length === 0 ? [] : [...outer, ...childrenOf(polygon, 'interior', 'innerBoundaryIs').flatMap(ring)];
}

function polygonOf(element: XmlElement, toDegrees: ToDegrees): GeoGeometry | undefined {
  const rings = ringsOf(element, toDegrees);
  return rings.length === 0 ? undefined : { type: 'Polygon', coordinates: rings };
}

function polygonsOf(patches: readonly XmlElement[], toDegrees: ToDegrees): GeoGeometry | undefined {
  const all = patches.map((patch) => ringsOf(patch, toDegrees)).filter((rings) => rings.length > 0);
  const [first] = all;
  if (first === undefined) return undefined;
  return all.length === 1 ? { type: 'Polygon', coordinates: first } : { type: 'MultiPolygon', coordinates: all };
}

/** `pos`, `posList`, `pointProperty` and the `coordinates` of GML 2. */
function positionsOf(element: XmlElement, toDegrees: ToDegrees): readonly GeoPosition[] {
  const found: GeoPosition[] = [];
  const add = (numbers: readonly number[], size: number): void => {
    for (let i = 0; i + size <= numbers.length; i += size) {
      const [first, second] = [numbers[i] ?? Number.NaN, numbers[i + 1] ?? Number.NaN];
      const position = toDegrees(first, second);
      if (position.every(Number.isFinite)) found.push(position);
    }
  };
  const sizeOf = (one: XmlElement, otherwise: number): number => {
    const said = Number(one.attributes['srsDimension'] ?? element.attributes['srsDimension'] ?? otherwise);
    return said === 3 ? 3 : 2;
  };
  for (const one of childrenOf(element, 'pos', 'posList', 'coordinates', 'coord')) {
    if (one.name === 'coord')
      add(
        ['X', 'Y'].map((name) => Number(textOf(childOf(one, name)))),
        2,
      );
    else if (one.name === 'coordinates')
      for (const tuple of words(textOf(one))) add(tuple.split(',').slice(0, 2).map(Number), 2);
    else {
      const numbers = words(textOf(one)).map(Number);
      add(numbers, one.name === 'pos' ? Math.max(2, numbers.length) : sizeOf(one, 2));
    }
  }
  return found;
}

function words(text: string): readonly string[] {
  return text.split(/\s/).filter((word) => word !== '');
}
