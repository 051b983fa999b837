// A tile of the packaged map of the world: land, lakes, rivers, borders, names of countries and places, as much as its zoom has room for.

import { type Box, growBox } from '../../geo/projection.ts';
import { type TileAddress, tileBounds, tileSpan } from '../../geo/tile.ts';
import type { Stage } from '../../kernel/in-slices.ts';
import type { World } from '../thumbnails/basemap.ts';
import { cutLine, cutRing } from './cut-line.ts';
import { toMetres } from './web-metres.ts';
import type { WorldData } from './world-data.ts';
import { EXTENT, type TileFeature, writeTile } from './write-tile.ts';

/** Viewers draw nearer views from these. */
export const DEEPEST = 10;
const WORLD_WIDTH = 2 * 20_037_508.342_789_244;
const MARGIN = 64 / EXTENT;
/** From this zoom on. */
const RIVERS = 2;
const STATES = 3;

type Line = { readonly points: ArrayLike<number>; readonly box: Box };

/** The fewest people that a place has to have to be shown. */
export function leastPeople(zoom: number): number {
  return [Infinity, Infinity, 5e6, 1.5e6, 5e5, 2e5, 1e5, 4e4, 15_000, 8000][zoom] ?? 0;
}

export function* makeWorldTile(tile: TileAddress, world: World, data: WorldData): Stage<Buffer> {
  const [xmin, , , ymax] = tileBounds(tile);
  const box = growBox(tileBounds(tile), MARGIN);
  const scale = EXTENT / tileSpan(tile.z);
  const place = (points: ArrayLike<number>, shift: number): Float64Array => {
    const out = new Float64Array(points.length);
    for (let i = 0; i + 1 < points.length; i += 2) {
      out[i] = ((points[i] ?? 0) + shift - xmin) * scale;
      out[i + 1] = (ymax - (points[i + 1] ?? 0)) * scale;
    }
    return out;
  };
  const shifted = (shift: number): Box => [box[0] - shift, box[1], box[2] - shift, box[3]];
  // Land beyond the edge of the world is drawn on the other side.
  const shifts = tile.z === 0 ? [0] : [-WORLD_WIDTH, 0, WORLD_WIDTH];

  function* areas(polygons: readonly (readonly Line[])[]): Stage<readonly TileFeature[]> {
    const features: TileFeature[] = [];
    for (const rings of polygons) {
      yield;
      for (const shift of shifts) {
        const near = shifted(shift);
        const [outer] = rings;
        if (outer === undefined || !meets(outer.box, near)) continue;
        const parts = rings
          .filter((ring) => meets(ring.box, near))
          .map((ring, i) => wound(place(cutRing(ring.points, near), shift), i === 0));
        if ((parts[0]?.length ?? 0) >= 6) features.push({ type: 'ring', parts });
      }
    }
    return features;
  }
  function* lines(all: readonly Line[]): Stage<readonly TileFeature[]> {
    const features: TileFeature[] = [];
    for (const line of all) {
      if (!meets(line.box, box)) continue;
      const parts = cutLine(line.points, box).map((piece) => thin(place(piece, 0)));
      if (parts.length > 0) features.push({ type: 'line', parts });
      yield;
    }
    return features;
  }
  const isIn = ([x, y]: readonly [number, number]): boolean => x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3];
  const names: TileFeature[] = data.countries.flatMap(({ name, german, at, size }) =>
    isIn(at) ? [{ type: 'point', parts: [place(at, 0)], properties: { name, name_de: german, size } }] : [],
  );
  const places: TileFeature[] = [];
  const least = leastPeople(tile.z);
  for (const { name, german, lon, lat, people, isCapital } of data.places) {
    if (people < least && !(isCapital && tile.z >= 3)) {
      // The others are smaller still; capitals are few.
      if (tile.z < 3) break;
      continue;
    }
    const at = toMetres(lon, lat);
    if (!isIn(at)) continue;
    const capital = isCapital ? { capital: 1 } : {};
    places.push({ type: 'point', parts: [place(at, 0)], properties: { name, name_de: german, people, ...capital } });
    if ((places.length & 63) === 0) yield;
  }
  return writeTile([
    { name: 'land', features: yield* areas(world.land) },
    { name: 'lakes', features: yield* areas(data.lakes) },
    { name: 'rivers', features: tile.z < RIVERS ? [] : yield* lines(data.rivers) },
    { name: 'states', features: tile.z < STATES ? [] : yield* lines(data.states) },
    { name: 'borders', features: yield* lines(world.borders) },
    { name: 'countries', features: names },
    { name: 'places', features: places },
  ]);
}

function meets(a: Box, b: Box): boolean {
  return a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];
}

/** Outer rings run clockwise on the screen, holes the other way; what is finer than a pixel is left out. */
function wound(ring: Float64Array, isOuter: boolean): Float64Array {
  const points = thin(ring);
  let area = 0;
  for (let i = 0; i < points.length; i += 2) {
    const j = (i + 2) % points.length;
    area += (points[i] ?? 0) * (points[j + 1] ?? 0) - (points[j] ?? 0) * (points[i + 1] ?? 0);
  }
  if (area > 0 === isOuter) return points;
  const back = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 2) {
    back[i] = points[points.length - 2 - i] ?? 0;
    back[i + 1] = points[points.length - 1 - i] ?? 0;
  }
  return back;
}

/** Units of a tile that are half a pixel of a viewer. */
const FINE = 4;

function thin(points: Float64Array): Float64Array {
  const out = new Float64Array(points.length);
  let length = 0;
  for (let i = 0; i + 1 < points.length; i += 2) {
    const [x, y] = [points[i] ?? 0, points[i + 1] ?? 0];
    const isLast = i + 2 >= points.length;
    const isFar =
      length === 0 || Math.abs(x - (out[length - 2] ?? 0)) >= FINE || Math.abs(y - (out[length - 1] ?? 0)) >= FINE;
    if (!isFar && !isLast) continue;
    out[length++] = x;
    out[length++] = y;
  }
  return out.subarray(0, length);
}
