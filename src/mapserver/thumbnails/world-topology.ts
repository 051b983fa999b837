// The countries of the world as arcs that neighbours share (TopoJSON) → rings of land, and which arcs are borders between two of them.
// Pure. Only what the files that come with us have: arcs in whole numbers, polygons.

type Shape =
  | { readonly type: 'Polygon'; readonly arcs: readonly (readonly number[])[] }
  | { readonly type: 'MultiPolygon'; readonly arcs: readonly (readonly (readonly number[])[])[] }
  | { readonly type: null | undefined };

export type WorldTopology = {
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] };
  /** Each position as the difference to the one before. */
  readonly arcs: readonly (readonly (readonly number[])[])[];
  readonly objects: {
    readonly land: { readonly geometries: readonly Shape[] };
    readonly countries: { readonly geometries: readonly Shape[] };
  };
};

/** Degrees, by twos. */
export function decodeArcs({ transform, arcs }: WorldTopology): readonly Float64Array[] {
  const { scale, translate } = transform;
  return arcs.map((arc) => {
    const points = new Float64Array(arc.length * 2);
    let [x, y] = [0, 0];
    for (const [i, [dx = 0, dy = 0]] of arc.entries()) {
      x += dx;
      y += dy;
      points[2 * i] = x * scale[0] + translate[0];
      points[2 * i + 1] = y * scale[1] + translate[1];
    }
    return points;
  });
}

/** The polygons of the land, each with its rings, the outer one first. */
export function landRings(
  { objects }: WorldTopology,
  arcs: readonly Float64Array[],
): readonly (readonly Float64Array[])[] {
  return objects.land.geometries.flatMap(polygonsOf).map((rings) => rings.map((ring) => stitch(ring, arcs)));
}

/** Arcs that more than one country has: those of one alone are coasts. */
export function borderArcs({ objects }: WorldTopology): readonly number[] {
  const owner = new Map<number, number>();
  const shared = new Set<number>();
  for (const [country, shape] of objects.countries.geometries.entries()) {
    for (const arc of polygonsOf(shape).flat(2)) {
      const plain = arc < 0 ? ~arc : arc;
      if ((owner.get(plain) ?? country) !== country) shared.add(plain);
      owner.set(plain, country);
    }
  }
  return [...shared];
}

function polygonsOf(shape: Shape): readonly (readonly (readonly number[])[])[] {
  switch (shape.type) {
    case 'Polygon':
      return [shape.arcs];
    case 'MultiPolygon':
      return shape.arcs;
    default:
      return [];
  }
}

/** Arcs one after the other; a negative one backwards. Where one ends, the next begins. */
function stitch(ring: readonly number[], arcs: readonly Float64Array[]): Float64Array {
  const points: number[] = [];
  for (const index of ring) {
    const arc = arcs[index < 0 ? ~index : index] ?? new Float64Array();
    const count = arc.length / 2;
    for (let i = points.length > 0 ? 1 : 0; i < count; i++) {
      const at = 2 * (index < 0 ? count - 1 - i : i);
      points.push(arc[at] ?? 0, arc[at + 1] ?? 0);
    }
  }
  return Float64Array.from(points);
}
