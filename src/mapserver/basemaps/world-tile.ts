// A tile of the packaged map of the world: land, lakes, rivers, borders, names of countries and places, as much as its zoom has room for.

import { type Box, growBox } from '../../geo/projection.ts';
import { type TileAddress, tileBounds, tileSpan } from '../../geo/tile.ts';
import type { ParsedGeometry, Position } from '../../geo/wkb.ts';
import type { Stage } from '../../kernel/in-slices.ts';
import { EXTENT } from '../query/layer-scale.ts';
import type { World } from '../thumbnails/basemap.ts';
import { drawShape, encodeTile, type TileFeature, type TileValue } from '../tiles/encode-tile.ts';
import { cutLine, cutRing } from './cut-line.ts';
import { toMetres } from './web-metres.ts';
import type { WorldData } from './world-data.ts';

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
  const place = (points: ArrayLike<number>, shift: number): Position[] => {
    const out: Position[] = [];
    for (let i = 0; i + 1 < points.length; i += 2)
      out.push([((points[i] ?? 0) + shift - xmin) * scale, (ymax - (points[i + 1] ?? 0)) * scale]);
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
          .map((ring) => thin(place(cutRing(ring.points, near), shift)));
        features.push(...drawn({ kind: 'polygons', polygons: [parts] }));
      }
    }
    return features;
  }
  function* lines(all: readonly Line[]): Stage<readonly TileFeature[]> {
    const features: TileFeature[] = [];
    for (const line of all) {
      if (!meets(line.box, box)) continue;
      const parts = cutLine(line.points, box).map((piece) => thin(place(piece, 0)));
      features.push(...drawn({ kind: 'lines', lines: parts }));
      yield;
    }
    return features;
  }
  const isIn = ([x, y]: readonly [number, number]): boolean => x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3];
  const names: TileFeature[] = data.countries.flatMap(({ name, german, at, size }) =>
    isIn(at) ? drawn({ kind: 'points', points: place(at, 0) }, { name, name_de: german, size }) : [],
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
    places.push(...drawn({ kind: 'points', points: place(at, 0) }, { name, name_de: german, people, ...capital }));
    if ((places.length & 63) === 0) yield;
  }
  return Buffer.concat([
    encodeTile('land', yield* areas(world.land)),
    encodeTile('lakes', yield* areas(data.lakes)),
    encodeTile('rivers', tile.z < RIVERS ? [] : yield* lines(data.rivers)),
    encodeTile('states', tile.z < STATES ? [] : yield* lines(data.states)),
    encodeTile('borders', yield* lines(world.borders)),
    encodeTile('countries', names),
    encodeTile('places', places),
  ]);
}

function meets(a: Box, b: Box): boolean {
  return a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];
}

type Properties = Readonly<Record<string, string | number>>;

/** Nothing, where it is too small to be seen. */
function drawn(shape: ParsedGeometry, properties: Properties = {}): readonly TileFeature[] {
  const commands = drawShape(shape);
  const tags = Object.entries(properties).map(([name, value]): [string, TileValue] => [
    name,
    { type: typeof value === 'string' ? 'text' : 'number', text: String(value) },
  ]);
  return commands === undefined ? [] : [{ id: undefined, tags, ...commands }];
}

/** Units of a tile that are half a pixel of a viewer. */
const FINE = 4;

/** What is finer than a pixel is left out; the last position stays. */
function thin(points: readonly Position[]): readonly Position[] {
  const out: Position[] = [];
  for (const [i, point] of points.entries()) {
    const last = out.at(-1);
    const isFar = last === undefined || Math.abs(point[0] - last[0]) >= FINE || Math.abs(point[1] - last[1]) >= FINE;
    if (isFar || i === points.length - 1) out.push(point);
  }
  return out;
}
