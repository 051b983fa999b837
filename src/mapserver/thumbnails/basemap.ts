// Land, water and borders for pictures that have to show where on earth something is, from files of our own: nothing is fetched.
// The data are Natural Earth's, in the public domain.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Path2D, type SKRSContext2D } from '@napi-rs/canvas';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Box } from '../../geo/projection.ts';
import type { Stage } from '../../kernel/in-slices.ts';

type Line = { readonly points: readonly (readonly [number, number])[]; readonly box: Box };
type World = { readonly land: readonly (readonly Line[])[]; readonly borders: readonly Line[] };

const WATER = '#cfe0ea';
const LAND = '#f3efe6';
const COAST = '#9fb4c0';
const BORDER = '#c3b9a8';

/** From this zoom on the finer file shows. */
const FINE_ZOOM = 2.5;

const worlds = new Map<string, Promise<World>>();

export function loadBasemap(zoom: number): Promise<World> {
  const name = zoom < FINE_ZOOM ? 'countries-110m.json' : 'countries-50m.json';
  const known = worlds.get(name) ?? readWorld(name);
  worlds.set(name, known);
  known.catch(() => worlds.delete(name));
  return known;
}

async function readWorld(name: string): Promise<World> {
  const path = createRequire(import.meta.url).resolve(`world-atlas/${name}`);
  const topology = JSON.parse(await readFile(path, 'utf8')) as Topology<{
    land: GeometryCollection;
    countries: GeometryCollection;
  }>;
  const land: Line[][] = [];
  for (const { geometry } of feature(topology, topology.objects.land).features) {
    const polygons =
      geometry.type === 'Polygon'
        ? [geometry.coordinates]
        : geometry.type === 'MultiPolygon'
          ? geometry.coordinates
          : [];
    for (const rings of polygons) land.push(rings.map(lineOf));
  }
  const borders = mesh(topology, topology.objects.countries, (a, b) => a !== b).coordinates.map(lineOf);
  return { land, borders };
}

function lineOf(positions: readonly (readonly number[])[]): Line {
  const points: (readonly [number, number])[] = [];
  // Land that lies across the edge of the map goes on beyond it, instead of jumping to the other side.
  let turn = 0;
  for (const [i, [x = 0, y = 0]] of positions.entries()) {
    const before = positions[i - 1]?.[0] ?? x;
    if (x - before > 180) turn -= 360;
    if (before - x > 180) turn += 360;
    points.push([x + turn, y]);
  }
  const [first, last] = [points[0], points.at(-1)];
  // Once around the world: the land reaches to the pole.
  if (first !== undefined && last !== undefined && Math.abs(last[0] - first[0]) > 180) {
    const pole = first[1] < 0 ? -90 : 90;
    points.push([last[0], pole], [first[0], pole]);
  }
  const box: [number, number, number, number] = [360, 90, -360, -90];
  for (const [x, y] of points) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return { points, box };
}

/** `seen`: what is in the picture, in degrees; `place`: degrees → pixels. */
export function* drawBasemap(
  context: SKRSContext2D,
  world: World,
  seen: Box,
  place: (x: number, y: number) => readonly [number, number],
): Stage<void> {
  const { width, height } = context.canvas;
  context.fillStyle = WATER;
  context.fillRect(0, 0, width, height);
  context.lineWidth = 0.8;
  // A picture that reaches around the world shows some land twice.
  for (const shift of [-360, 0, 360]) {
    const isSeen = ({ box }: Line): boolean =>
      box[0] + shift <= seen[2] && box[2] + shift >= seen[0] && box[1] <= seen[3] && box[3] >= seen[1];
    context.fillStyle = LAND;
    context.strokeStyle = COAST;
    for (const rings of world.land) {
      const [outer] = rings;
      if (outer === undefined || !isSeen(outer)) continue;
      const path = new Path2D();
      for (const ring of rings) trace(path, ring, shift, place, true);
      context.fill(path, 'evenodd');
      context.stroke(path);
      yield;
    }
    context.strokeStyle = BORDER;
    for (const line of world.borders) {
      if (!isSeen(line)) continue;
      const path = new Path2D();
      trace(path, line, shift, place, false);
      context.stroke(path);
      yield;
    }
  }
}

const FAR = 20_000;

function trace(
  path: Path2D,
  { points }: Line,
  shift: number,
  place: (x: number, y: number) => readonly [number, number],
  isRing: boolean,
): void {
  let [lastX, lastY] = [Number.NaN, Number.NaN];
  for (const [x, y] of points) {
    const [px, py] = place(x + shift, y);
    // What is far outside of the picture need not be exact, and what falls on one spot is drawn once.
    const [cx, cy] = [Math.max(-FAR, Math.min(FAR, px)), Math.max(-FAR, Math.min(FAR, py))];
    if (Math.abs(cx - lastX) < 0.3 && Math.abs(cy - lastY) < 0.3) continue;
    if (Number.isNaN(lastX)) path.moveTo(cx, cy);
    else path.lineTo(cx, cy);
    [lastX, lastY] = [cx, cy];
  }
  if (isRing) path.closePath();
}
