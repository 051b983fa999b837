// GeoJSON of an extent → the same, checked and with nothing else in it.

const MAX_POSITIONS = 10_000;

type Position = readonly [number, number];

/** Undefined: no polygon or multipolygon. */
export function parsePolygon(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('coordinates' in value)) return undefined;
  const counter = { positions: 0 };
  const { type, coordinates } = value;
  if (type === 'Polygon') {
    const rings = parseRings(coordinates, counter);
    return rings === undefined ? undefined : JSON.stringify({ type, coordinates: rings });
  }
  if (type !== 'MultiPolygon' || !Array.isArray(coordinates) || coordinates.length === 0) return undefined;
  const polygons: Position[][][] = [];
  for (const polygon of coordinates) {
    const rings = parseRings(polygon, counter);
    if (rings === undefined) return undefined;
    polygons.push(rings);
  }
  return JSON.stringify({ type, coordinates: polygons });
}

function parseRings(value: unknown, counter: { positions: number }): Position[][] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const rings: Position[][] = [];
  for (const ring of value) {
    if (!Array.isArray(ring) || ring.length < 4) return undefined;
    counter.positions += ring.length;
    if (counter.positions > MAX_POSITIONS) return undefined;
    const positions: Position[] = [];
    for (const position of ring) {
      if (!Array.isArray(position) || position.length < 2 || position.length > 3) return undefined;
      const [x, y] = position as readonly unknown[];
      if (!isCoordinate(x) || !isCoordinate(y)) return undefined;
      positions.push([x, y]);
    }
    const [first] = positions;
    const last = positions.at(-1);
    if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) return undefined;
    rings.push(positions);
  }
  return rings;
}

function isCoordinate(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < 1e12;
}

/** Once around in either direction, for extents over the date line; and pole to pole. */
const MAX_LONGITUDE = 360;
const MAX_LATITUDE = 90;

export const NOT_IN_DEGREES: string = `Longitudes are between -${MAX_LONGITUDE} and ${MAX_LONGITUDE}, latitudes between -${MAX_LATITUDE} and ${MAX_LATITUDE}.`;

/** Whether a checked extent, as JSON, is a place on the earth where its coordinates are degrees. */
export function isInDegrees(polygon: string): boolean {
  const { coordinates } = JSON.parse(polygon) as { readonly coordinates: readonly unknown[] };
  // Two levels of a polygon, three of a multipolygon, then the pairs.
  const numbers = coordinates.flat(3) as number[];
  const flat = numbers.some(Array.isArray) ? (numbers.flat() as number[]) : numbers;
  return flat.every((value, i) => Math.abs(value) <= (i % 2 === 0 ? MAX_LONGITUDE : MAX_LATITUDE));
}
