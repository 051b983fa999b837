// Land, water and borders for pictures that have to show where on earth something is, from files of our own: nothing is fetched.
// The data are Natural Earth's, in the public domain.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Path2D, type SKRSContext2D } from '@napi-rs/canvas';
import type { Box } from '../../geo/projection.ts';
import { WORLD_HALF } from '../../geo/tile.ts';
import type { View } from '../../geo/view.ts';
import { inSlices, type Stage } from '../../kernel/in-slices.ts';
import { borderArcs, landPolygons, readTopology, stitch, type WorldTopology } from './world-topology.ts';

/** In metres of a web map, by twos. */
type Line = { readonly points: Float32Array; readonly box: Box };
export type World = { readonly land: readonly (readonly Line[])[]; readonly borders: readonly Line[] };

/** `paper`: where nothing is known exactly enough. */
const LIGHT = { water: '#cfe0ea', land: '#f3efe6', coast: '#9fb4c0', border: '#b5a88f', paper: '#f1f0ec' };
const DARK = { water: '#0c1517', land: '#1a2422', coast: '#31423f', border: '#4a5b57', paper: '#1a2422' };
/** Nearer by, coasts would be wrong by more than the width of a symbol. */
const NEAREST = 10;

/** The coarsest file that still looks right, up to a zoom. */
const FILES: readonly (readonly [below: number, name: string])[] = [
  [1.2, 'countries-110m.json'],
  [4.2, 'countries-50m.json'],
  [Number.POSITIVE_INFINITY, 'countries-10m.json'],
];

const worlds = new Map<string, Promise<World>>();

export function loadBasemap(zoom: number): Promise<World> {
  const name = FILES.find(([below]) => zoom < below)?.[1] ?? 'countries-50m.json';
  const known = worlds.get(name) ?? readWorld(name);
  worlds.set(name, known);
  known.catch(() => worlds.delete(name));
  return known;
}

async function readWorld(name: string): Promise<World> {
  const path = createRequire(import.meta.url).resolve(`world-atlas/${name}`);
  return inSlices(makeWorld(await inSlices(readTopology(await readFile(path, 'utf8')))));
}

function* makeWorld(topology: WorldTopology): Stage<World> {
  const { arcs } = topology;
  const land: Line[][] = [];
  for (const rings of landPolygons(topology)) {
    land.push(rings.map((ring) => lineOf(stitch(ring, arcs))));
    yield;
  }
  const borders: Line[] = [];
  for (const arc of borderArcs(topology)) {
    borders.push(lineOf(arcs[arc] ?? new Float64Array()));
    yield;
  }
  return { land, borders };
}

const HIGHEST = 85.06;

/** Degrees → metres. */
function lineOf(degrees: Float64Array): Line {
  // Two places more, for land around a pole.
  const points = new Float32Array(degrees.length + 4);
  let length = 0;
  let [xmin, ymin, xmax, ymax] = [Infinity, Infinity, -Infinity, -Infinity];
  const add = (longitude: number, latitude: number): void => {
    const angle = (Math.max(-HIGHEST, Math.min(HIGHEST, latitude)) * Math.PI) / 180;
    const x = (longitude / 180) * WORLD_HALF;
    const y = (Math.log(Math.tan(Math.PI / 4 + angle / 2)) / Math.PI) * WORLD_HALF;
    points[length++] = x;
    points[length++] = y;
    if (x < xmin) xmin = x;
    if (y < ymin) ymin = y;
    if (x > xmax) xmax = x;
    if (y > ymax) ymax = y;
  };
  // Land that lies across the edge of the map goes on beyond it, instead of jumping to the other side.
  let turn = 0;
  let before = degrees[0] ?? 0;
  for (let i = 0; i < degrees.length; i += 2) {
    const x = degrees[i] ?? 0;
    if (x - before > 180) turn -= 360;
    if (before - x > 180) turn += 360;
    before = x;
    add(x + turn, degrees[i + 1] ?? 0);
  }
  const [first, last] = [degrees[0] ?? 0, before + turn];
  // Once around the world: the land reaches to the pole.
  if (Math.abs(last - first) > 180) {
    const pole = (degrees[1] ?? 0) < 0 ? -90 : 90;
    add(last, pole);
    add(first, pole);
  }
  return { points: points.subarray(0, length), box: [xmin, ymin, xmax, ymax] };
}

export function* drawBasemap(context: SKRSContext2D, world: World, view: View, isDark = false): Stage<void> {
  const isNear = view.zoom > NEAREST;
  const { water, land, coast, border, paper } = isDark ? DARK : LIGHT;
  context.fillStyle = isNear ? paper : water;
  context.fillRect(0, 0, view.width, view.height);
  if (isNear) return;
  context.lineWidth = 1;
  context.lineJoin = 'round';
  const [xmin, ymin, xmax, ymax] = view.box;
  // A picture that reaches around the world shows some land twice.
  for (const shift of [-2 * WORLD_HALF, 0, 2 * WORLD_HALF]) {
    const isSeen = ({ box }: Line): boolean =>
      box[0] + shift <= xmax && box[2] + shift >= xmin && box[1] <= ymax && box[3] >= ymin;
    context.fillStyle = land;
    context.strokeStyle = coast;
    for (const rings of world.land) {
      const [outer] = rings;
      if (outer === undefined || !isSeen(outer)) continue;
      const path = new Path2D();
      for (const ring of rings) if (isSeen(ring)) trace(path, ring, shift, view, true);
      context.fill(path, 'evenodd');
      context.stroke(path);
      yield;
    }
    context.strokeStyle = border;
    const path = new Path2D();
    for (const line of world.borders) if (isSeen(line)) trace(path, line, shift, view, false);
    context.stroke(path);
    yield;
  }
}

/** Pixels outside of the picture from which on nothing need be exact; no piece of a line is so long that it would be missed. */
const FAR = 1000;

function trace(path: Path2D, { points }: Line, shift: number, view: View, isRing: boolean): void {
  const [xmin, ymin, xmax, ymax] = view.box;
  const [sx, sy] = [view.width / (xmax - xmin), view.height / (ymax - ymin)];
  const [right, bottom] = [view.width + FAR, view.height + FAR];
  let isBegun = false;
  const go = (x: number, y: number): void => {
    if (isBegun) path.lineTo(x, y);
    else path.moveTo(x, y);
    isBegun = true;
  };
  let [lastX, lastY, lastSide, isSkipped] = [Number.NaN, Number.NaN, 0, false];
  for (let i = 0; i < points.length; i += 2) {
    const x = Math.max(-FAR, Math.min(right, ((points[i] ?? 0) + shift - xmin) * sx));
    const y = Math.max(-FAR, Math.min(bottom, (ymax - (points[i + 1] ?? 0)) * sy));
    const side = (x === -FAR ? 1 : x === right ? 2 : 0) | (y === -FAR ? 4 : y === bottom ? 8 : 0);
    // What stays on one side of the picture, or falls on one spot, is drawn once.
    const isSame = side !== 0 ? side === lastSide : Math.abs(x - lastX) < 0.3 && Math.abs(y - lastY) < 0.3;
    if (isSame) {
      isSkipped = side !== 0;
      if (side !== 0) [lastX, lastY] = [x, y];
      continue;
    }
    if (isSkipped) go(lastX, lastY);
    go(x, y);
    [lastX, lastY, lastSide, isSkipped] = [x, y, side, false];
  }
  if (isSkipped) go(lastX, lastY);
  if (isRing) path.closePath();
}
