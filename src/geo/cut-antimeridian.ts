// Polygons that run across the line of 180° → the same ones in parts that do not. Natural Earth's topology has its countries in
// one piece on the globe; on a flat map such a piece would be drawn all the way back across the world. Pure.

type Position = readonly number[];
type Ring = readonly Position[];
export type Polygons = readonly (readonly Ring[])[];

/** Rings of degrees; a ring around a pole gets an edge along it. Holes stay with the part they lie in. */
export function cutAntimeridian(polygons: Polygons): Polygons {
  return polygons.flatMap((rings) => {
    const [outer, ...holes] = rings.map(unwrapped);
    if (outer === undefined) return [];
    const [west, east] = spanOf(outer);
    if (west >= -180 && east <= 180) return [rings];
    const parts: Ring[][] = [];
    for (let turn = Math.floor((west + 180) / 360); turn <= Math.floor((east + 180 - 1e-9) / 360); turn += 1) {
      const part = clipped(outer, turn);
      if (part.length < 4) continue;
      parts.push([part, ...holes.map((hole) => clipped(hole, turn)).filter((hole) => hole.length >= 4)]);
    }
    return parts;
  });
}

/** Longitudes that run on instead of jumping from one side of the map to the other. */
function unwrapped(ring: Ring): Position[] {
  const points: Position[] = [];
  let turn = 0;
  let before: number | undefined;
  for (const [x = 0, y = 0] of ring) {
    if (before !== undefined && x - before > 180) turn -= 360;
    if (before !== undefined && x - before < -180) turn += 360;
    points.push([x + turn, y]);
    before = x;
  }
  if (turn === 0) return points;
  // It ends a whole turn away from where it began: around a pole, the one it is nearer to.
  const [first = 0, latitude = 0] = points[0] ?? [];
  const [last = 0] = points.at(-1) ?? [];
  const pole = latitude < 0 ? -90 : 90;
  return [...points, [last, pole], [first, pole], [first, latitude]];
}

function spanOf(ring: Ring): readonly [number, number] {
  let [west, east] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [x = 0] of ring) {
    west = Math.min(west, x);
    east = Math.max(east, x);
  }
  return [west, east];
}

/** What lies in one turn of the globe, brought back to −180…180. */
function clipped(ring: Ring, turn: number): Position[] {
  const [west, east] = [turn * 360 - 180, turn * 360 + 180];
  const inside = keepSide(keepSide(ring, west, 1), east, -1);
  return inside.map(([x = 0, y = 0]) => [x - turn * 360, y]);
}

/** The part of a closed ring on one side of a meridian (Sutherland and Hodgman). */
function keepSide(ring: Ring, at: number, side: 1 | -1): Position[] {
  const isIn = ([x = 0]: Position): boolean => (x - at) * side >= 0;
  const kept: Position[] = [];
  for (let i = 0; i + 1 < ring.length; i += 1) {
    const [from, to] = [ring[i] ?? [0, 0], ring[i + 1] ?? [0, 0]];
    if (isIn(from)) kept.push(from);
    if (isIn(from) !== isIn(to)) {
      const [x0 = 0, y0 = 0] = from;
      const [x1 = 0, y1 = 0] = to;
      kept.push([at, y0 + ((y1 - y0) * (at - x0)) / (x1 - x0)]);
    }
  }
  const [first] = kept;
  return first === undefined ? [] : [...kept, first];
}
