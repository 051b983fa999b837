// The countries of the world as arcs that neighbours share (TopoJSON) → rings of land, and which arcs are borders between two of them.
// Pure. Only what the files that come with us have: arcs in whole numbers, polygons.

import type { Stage } from '../../kernel/in-slices.ts';

type TopologyShape =
  | { readonly type: 'Polygon'; readonly arcs: readonly (readonly number[])[] }
  | { readonly type: 'MultiPolygon'; readonly arcs: readonly (readonly (readonly number[])[])[] }
  | { readonly type: null | undefined };

export type WorldTopology = {
  /** Each in degrees, by twos. */
  readonly arcs: readonly Float64Array[];
  readonly objects: {
    readonly land: { readonly geometries: readonly TopologyShape[] };
    readonly countries: { readonly geometries: readonly TopologyShape[] };
  };
};

type Transform = { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] };

/** Ends the objects: arcs of theirs are members of a shape, with others before or behind. */
const ARCS = '}},"arcs":[[[';
const ARCS_END = ']]],"bbox"';

/** Arc by arc: to parse the largest file in one go would hold everything else up for a tenth of a second. */
export function* readTopology(text: string): Stage<WorldTopology> {
  const [before, arcTexts, behind] = cut(text);
  const { objects, transform } = JSON.parse(`${before}}},"arcs":[],"bbox"${behind}`) as WorldTopology & {
    readonly transform: Transform;
  };
  yield;
  const arcs: Float64Array[] = [];
  for (const arc of arcTexts.split(']],[[')) {
    arcs.push(decodeArc(transform, JSON.parse(`[[${arc}]]`)));
    yield;
  }
  return { objects, arcs };
}

function cut(text: string): readonly [string, string, string] {
  const from = text.indexOf(ARCS);
  const to = text.lastIndexOf(ARCS_END);
  if (from < 0 || to < from) throw new Error('a map of the world is not written as expected');
  return [text.slice(0, from), text.slice(from + ARCS.length, to), text.slice(to + ARCS_END.length)];
}

/** Each position is the difference to the one before. */
function decodeArc({ scale, translate }: Transform, arc: readonly (readonly number[])[]): Float64Array {
  const [sx, sy] = scale;
  const [tx, ty] = translate;
  const points = new Float64Array(arc.length * 2);
  let [x, y] = [0, 0];
  for (let i = 0; i < arc.length; i++) {
    x += arc[i]?.[0] ?? 0;
    y += arc[i]?.[1] ?? 0;
    points[2 * i] = x * sx + tx;
    points[2 * i + 1] = y * sy + ty;
  }
  return points;
}

/** The polygons of the land: rings of arcs, the outer one first. */
export function landPolygons({ objects }: WorldTopology): readonly (readonly (readonly number[])[])[] {
  return objects.land.geometries.flatMap(polygonsOf);
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

function polygonsOf(shape: TopologyShape): readonly (readonly (readonly number[])[])[] {
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
export function stitch(ring: readonly number[], arcs: readonly Float64Array[]): Float64Array {
  const parts = ring.map((index) => ({ arc: arcs[index < 0 ? ~index : index] ?? NONE, isBackwards: index < 0 }));
  const points = new Float64Array(parts.reduce((length, { arc }) => length + arc.length, 0));
  let length = 0;
  for (const { arc, isBackwards } of parts) {
    const count = arc.length / 2;
    for (let i = length > 0 ? 1 : 0; i < count; i++) {
      const at = 2 * (isBackwards ? count - 1 - i : i);
      points[length++] = arc[at] ?? 0;
      points[length++] = arc[at + 1] ?? 0;
    }
  }
  return points.subarray(0, length);
}

const NONE = new Float64Array();
