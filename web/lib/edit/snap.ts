// Snapping: the vertex, or else the place on an edge, of the layer's features that is nearest to the pointer, in pixels. Pure; how a
// place becomes pixels is told by the map.

import type { Geometry, Position } from 'geojson';
import { piecesOf, vertexKey } from './pieces.ts';

export type Pixel = { readonly x: number; readonly y: number };
type Project = (lng: number, lat: number) => Pixel;

/** Pieces of all that can be snapped to. */
export type SnapTargets = {
  readonly paths: readonly { readonly of: string; readonly vertices: readonly Position[] }[];
  /** By the key of a vertex, the vertex with all its digits. */
  readonly known: ReadonlyMap<string, Position>;
};

/** A view with more is snapped to these alone: looking through them takes a moment each time the pointer moves. */
const MAX_VERTICES = 20_000;

export const NOTHING_TO_SNAP: SnapTargets = { paths: [], known: new Map() };

export function snapTargets(
  shapes: readonly { readonly of: string; readonly geometry: Geometry | null }[],
): SnapTargets {
  const paths: { of: string; vertices: readonly Position[] }[] = [];
  const known = new Map<string, Position>();
  let count = 0;
  for (const { of, geometry } of shapes) {
    for (const { vertices } of piecesOf(geometry)) {
      count += vertices.length;
      if (count > MAX_VERTICES) return { paths, known };
      paths.push({ of, vertices });
      for (const at of vertices) known.set(vertexKey(at), at);
    }
  }
  return { paths, known };
}

/** Undefined: nothing is near enough. `except`: the feature that is being changed. */
export function snapped(
  targets: SnapTargets,
  pointer: Pixel,
  project: Project,
  reach: number,
  except: string | undefined,
): Position | undefined {
  let vertex: { readonly at: Position; readonly far: number } | undefined;
  let edge: { readonly at: Position; readonly far: number } | undefined;
  for (const { of, vertices } of targets.paths) {
    if (of === except) continue;
    let before: { readonly at: Position; readonly pixel: Pixel } | undefined;
    for (const at of vertices) {
      const pixel = project(at[0] ?? 0, at[1] ?? 0);
      const far = Math.hypot(pixel.x - pointer.x, pixel.y - pointer.y);
      if (far <= reach && (vertex === undefined || far < vertex.far)) vertex = { at, far };
      if (before !== undefined) {
        const share = shareAlong(before.pixel, pixel, pointer);
        const x = before.pixel.x + share * (pixel.x - before.pixel.x);
        const y = before.pixel.y + share * (pixel.y - before.pixel.y);
        const away = Math.hypot(x - pointer.x, y - pointer.y);
        if (away <= reach && (edge === undefined || away < edge.far))
          edge = { at: between(before.at, at, share), far: away };
      }
      before = { at, pixel };
    }
  }
  // A vertex is meant even where an edge is nearer: its own edges always are.
  return vertex?.at ?? edge?.at;
}

/** How far along an edge the place nearest to the pointer is, from 0 to 1. */
function shareAlong(a: Pixel, b: Pixel, at: Pixel): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy;
  return length === 0 ? 0 : Math.min(1, Math.max(0, ((at.x - a.x) * dx + (at.y - a.y) * dy) / length));
}

function between([ax = 0, ay = 0]: Position, [bx = 0, by = 0]: Position, share: number): Position {
  return [ax + share * (bx - ax), ay + share * (by - ay)];
}
