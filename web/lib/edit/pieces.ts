// A geometry as the pieces that drawing tools handle (points, lines, single rings), and back. The tools round coordinates and know no
// heights: vertices that were not touched come back as they were, digit for digit, new ones with the height of their nearest
// neighbour. Pure.

import type { Geometry, Position } from 'geojson';

type PieceKind = 'point' | 'line' | 'ring';
export type Piece = { readonly kind: PieceKind; readonly vertices: readonly Position[] };

/** As many digits as the drawing tools keep: a tenth of a millimetre. */
const DIGITS = 9;

export function rounded([x = 0, y = 0]: Position): [number, number] {
  return [Number(x.toFixed(DIGITS)), Number(y.toFixed(DIGITS))];
}

export function vertexKey(at: Position): string {
  return rounded(at).join(' ');
}

/** In the order in which `withPieces` expects them. */
export function piecesOf(geometry: Geometry | null): readonly Piece[] {
  if (geometry === null) return [];
  const ring = (vertices: readonly Position[]): Piece => ({ kind: 'ring', vertices });
  const line = (vertices: readonly Position[]): Piece => ({ kind: 'line', vertices });
  const point = (at: Position): Piece => ({ kind: 'point', vertices: [at] });
  switch (geometry.type) {
    case 'Point':
      return [point(geometry.coordinates)];
    case 'MultiPoint':
      return geometry.coordinates.map(point);
    case 'LineString':
      return [line(geometry.coordinates)];
    case 'MultiLineString':
      return geometry.coordinates.map(line);
    case 'Polygon':
      return geometry.coordinates.map(ring);
    case 'MultiPolygon':
      return geometry.coordinates.flatMap((rings) => rings.map(ring));
    case 'GeometryCollection':
      return geometry.geometries.flatMap(piecesOf);
  }
}

/** The geometry with other vertices in its pieces; as many pieces as it has. */
export function withPieces<G extends Geometry>(geometry: G, pieces: readonly (readonly Position[])[]): G {
  let at = 0;
  const next = (): Position[] => {
    const vertices = pieces[at];
    at += 1;
    return [...(vertices ?? [])];
  };
  const filled = (one: Geometry): Geometry => {
    switch (one.type) {
      case 'Point':
        return { ...one, coordinates: next()[0] ?? one.coordinates };
      case 'MultiPoint':
        return { ...one, coordinates: one.coordinates.map((old) => next()[0] ?? old) };
      case 'LineString':
        return { ...one, coordinates: next() };
      case 'MultiLineString':
      case 'Polygon':
        return { ...one, coordinates: one.coordinates.map(() => next()) };
      case 'MultiPolygon':
        return { ...one, coordinates: one.coordinates.map((rings) => rings.map(() => next())) };
      case 'GeometryCollection':
        return { ...one, geometries: one.geometries.map(filled) };
    }
  };
  return filled(geometry) as G;
}

/** What was drawn, with the digits and heights of what it was made from. `known`: vertices that one can snap to, by their keys. */
export function restored(
  drawn: readonly Position[],
  original: readonly Position[],
  known: ReadonlyMap<string, Position>,
): readonly Position[] {
  const own = new Map(original.map((at) => [vertexKey(at), at]));
  const hasHeight = original.some((at) => at.length > 2);
  return drawn.map((at) => {
    const same = own.get(vertexKey(at));
    if (same !== undefined) return same;
    const [x = 0, y = 0] = known.get(vertexKey(at)) ?? at;
    if (!hasHeight) return [x, y];
    const near = nearest([x, y], original);
    return [x, y, ...near.slice(2)];
  });
}

function nearest([x = 0, y = 0]: Position, among: readonly Position[]): Position {
  let best: Position = [];
  let least = Number.POSITIVE_INFINITY;
  for (const at of among) {
    const distance = ((at[0] ?? 0) - x) ** 2 + ((at[1] ?? 0) - y) ** 2;
    if (distance >= least) continue;
    least = distance;
    best = at;
  }
  return best;
}

/** All of it moved as one vertex was, as the map shows it: by the same way in Mercator's projection. */
export function moved<G extends Geometry>(geometry: G, from: Position, to: Position): G {
  const [dx, dy] = [(to[0] ?? 0) - (from[0] ?? 0), north(to[1] ?? 0) - north(from[1] ?? 0)];
  const pieces = piecesOf(geometry).map(({ vertices }) =>
    vertices.map(([x = 0, y = 0, ...rest]) => [x + dx, latitude(north(y) + dy), ...rest]),
  );
  return withPieces(geometry, pieces);
}

const north = (lat: number): number => Math.asinh(Math.tan((lat * Math.PI) / 180));
const latitude = (y: number): number => (Math.atan(Math.sinh(y)) * 180) / Math.PI;

/** One vertex less; undefined: too few would be left. */
export function withoutVertex<G extends Geometry>(geometry: G, piece: number, vertex: number): G | undefined {
  const pieces = piecesOf(geometry);
  const one = pieces[piece];
  if (one === undefined || one.kind === 'point') return undefined;
  const open = one.kind === 'ring' ? one.vertices.slice(0, -1) : one.vertices;
  const left = open.filter((_, i) => i !== vertex % open.length);
  if (left.length < (one.kind === 'ring' ? 3 : 2)) return undefined;
  const [first] = left;
  const closed = one.kind === 'ring' && first !== undefined ? [...left, first] : left;
  return withPieces(
    geometry,
    pieces.map(({ vertices }, i) => (i === piece ? closed : vertices)),
  );
}

/** The geometry with a part more, in the form of several. */
export function withPart(geometry: Geometry | null, part: Geometry): Geometry {
  if (geometry === null) return part;
  switch (part.type) {
    case 'Point':
      if (geometry.type === 'Point')
        return { type: 'MultiPoint', coordinates: [geometry.coordinates, part.coordinates] };
      if (geometry.type === 'MultiPoint')
        return { ...geometry, coordinates: [...geometry.coordinates, part.coordinates] };
      break;
    case 'LineString':
      if (geometry.type === 'LineString')
        return { type: 'MultiLineString', coordinates: [geometry.coordinates, part.coordinates] };
      if (geometry.type === 'MultiLineString')
        return { ...geometry, coordinates: [...geometry.coordinates, part.coordinates] };
      break;
    case 'Polygon':
      if (geometry.type === 'Polygon')
        return { type: 'MultiPolygon', coordinates: [geometry.coordinates, part.coordinates] };
      if (geometry.type === 'MultiPolygon')
        return { ...geometry, coordinates: [...geometry.coordinates, part.coordinates] };
  }
  return part;
}
