// A geometry in GML 2, 3.1 or 3.2 → GeoJSON with the positions as they are written, and the name of their system. Whoever uses them knows
// the system and its axes. Pure.

import { type GeoGeometry, parseGeometry } from '../../../geo/geojson.ts';
import type { XmlElement } from '../../../geo/style/xml-tree.ts';
import { parseDecimal } from '../../../kernel/decimal.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import { elements, textOf } from './xml-elements.ts';

export type GmlFault = { readonly said: string };

export type GmlRead = {
  readonly geometry: GeoGeometry;
  /** Undefined: not said. */
  readonly crs: string | undefined;
};

class Refused extends Error {}

type State = { crs: string | undefined; dimension: number };

export function readGml(element: XmlElement): Result<GmlRead, GmlFault> {
  const state: State = { crs: undefined, dimension: 2 };
  try {
    const parsed = parseGeometry(gmlGeometry(element, state, 0));
    return parsed.ok ? ok({ geometry: parsed.value, crs: state.crs }) : err({ said: parsed.error.said });
  } catch (error) {
    if (error instanceof Refused) return err({ said: error.message });
    throw error;
  }
}

/** Positions as they are written; whoever uses them knows the system and its axes. */
function gmlGeometry(element: XmlElement, state: State, depth: number): unknown {
  if (depth > 10) throw new Refused('the geometry is nested too deeply');
  const crs = element.attributes['srsName'];
  if (crs !== undefined) {
    if (state.crs !== undefined && state.crs !== crs) throw new Refused('geometries in several systems');
    state.crs = crs;
  }
  // Said on the outside, it is true inside.
  state.dimension = dimensionOf(element) ?? state.dimension;
  const children = elements(element);
  const parts = (...names: string[]): unknown[] =>
    children
      .filter(({ name }) => names.includes(name))
      .flatMap(elements)
      .map((child) => gmlGeometry(child, state, depth + 1));
  const coordinatesOf = (geometries: readonly unknown[]): unknown[] =>
    geometries.map((one) => (one as { coordinates?: unknown }).coordinates);
  switch (element.name) {
    case 'Envelope':
    case 'Box': {
      const corners = element.name === 'Box' ? positions(element, state) : undefined;
      const corner = (name: string, i: number): readonly number[] =>
        corners?.[i] ?? numbers(textOf(children.find((child) => child.name === name) ?? fail('a corner is missing')));
      const [a = Number.NaN, b = Number.NaN] = corner('lowerCorner', 0);
      const [c = Number.NaN, d = Number.NaN] = corner('upperCorner', 1);
      return {
        type: 'Polygon',
        coordinates: [
          [
            [a, b],
            [c, b],
            [c, d],
            [a, d],
            [a, b],
          ],
        ],
      };
    }
    case 'Point':
      return { type: 'Point', coordinates: positions(element, state)[0] };
    case 'LineString':
    case 'LinearRing':
    case 'LineStringSegment':
      return { type: 'LineString', coordinates: positions(element, state) };
    case 'Curve':
      return { type: 'LineString', coordinates: joined(coordinatesOf(parts('segments')) as number[][][]) };
    case 'Polygon':
    case 'PolygonPatch': {
      const outer = coordinatesOf(parts('exterior', 'outerBoundaryIs'));
      const inner = coordinatesOf(parts('interior', 'innerBoundaryIs'));
      return { type: 'Polygon', coordinates: [...outer, ...inner] };
    }
    case 'Surface': {
      const polygons = coordinatesOf(parts('patches', 'polygonPatches'));
      return polygons.length === 1
        ? { type: 'Polygon', coordinates: polygons[0] }
        : { type: 'MultiPolygon', coordinates: polygons };
    }
    case 'CompositeSurface':
      return { type: 'MultiPolygon', coordinates: parts('surfaceMember', 'surfaceMembers').flatMap(polygonsOf) };
    case 'MultiGeometry':
      return { type: 'GeometryCollection', geometries: parts('geometryMember', 'geometryMembers') };
    case 'MultiPoint':
      return { type: 'MultiPoint', coordinates: coordinatesOf(parts('pointMember', 'pointMembers')) };
    case 'MultiCurve':
    case 'MultiLineString':
      return {
        type: 'MultiLineString',
        coordinates: coordinatesOf(parts('curveMember', 'curveMembers', 'lineStringMember')),
      };
    case 'MultiSurface':
    case 'MultiPolygon':
      return {
        type: 'MultiPolygon',
        coordinates: parts('surfaceMember', 'surfaceMembers', 'polygonMember').flatMap(polygonsOf),
      };
    default:
      throw new Refused(`${element.name.slice(0, 50)} is no geometry that is known here`);
  }
}

function dimensionOf({ attributes }: XmlElement): number | undefined {
  const said = attributes['srsDimension'];
  if (said === undefined) return undefined;
  return said === '2' || said === '3' ? Number(said) : fail('positions have two or three numbers');
}

function positions(element: XmlElement, state: State): number[][] {
  const children = elements(element);
  const list = children.find(({ name }) => name === 'posList');
  if (list !== undefined) {
    const flat = numbers(textOf(list));
    const dimension = dimensionOf(list) ?? state.dimension;
    if (flat.length % dimension !== 0) fail(`the numbers of a posList come by ${dimension}`);
    const found: number[][] = [];
    for (let i = 0; i < flat.length; i += dimension) found.push(flat.slice(i, i + dimension));
    return found;
  }
  const old = children.find(({ name }) => name === 'coordinates');
  if (old !== undefined)
    return textOf(old)
      .trim()
      .split(/\s+/)
      .map((pair) => numbers(pair.replaceAll(',', ' ')));
  // GML 2, one by one.
  const single = children.filter(({ name }) => name === 'coord');
  if (single.length > 0) return single.map((coord) => elements(coord).flatMap((axis) => numbers(textOf(axis))));
  return children.filter(({ name }) => name === 'pos').map((pos) => numbers(textOf(pos)));
}

function numbers(text: string): number[] {
  return text
    .trim()
    .split(/\s+/)
    .map((part) => parseDecimal(part) ?? Number.NaN);
}

/** A surface of several patches is several polygons. */
function polygonsOf(geometry: unknown): unknown[] {
  const { type, coordinates } = geometry as { type: string; coordinates: unknown[] };
  return type === 'MultiPolygon' ? coordinates : [coordinates];
}

/** Segments of a curve, each of which begins where the one before ends. */
function joined(segments: readonly number[][][]): number[][] {
  const found: number[][] = [];
  for (const segment of segments)
    for (const [i, position] of segment.entries())
      if (i > 0 || found.length === 0 || String(found.at(-1)) !== String(position)) found.push(position);
  return found;
}

function fail(said: string): never {
  throw new Refused(said);
}

/** Do positions under this name come north first? Short names (`EPSG:4326`) are an old custom with east first. */
export function isNorthFirstName(name: string, isNorth: boolean): boolean {
  return isNorth && !/^\[?EPSG:/i.test(name) && !/^https?:\/\/www\.opengis\.net\/gml\/srs\//i.test(name);
}
