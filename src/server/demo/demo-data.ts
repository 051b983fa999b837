// The data of the demo: countries (Natural Earth, public domain, packaged in world-atlas), large cities, and a raster computed from
// them. Pure, but for reading the package.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { cutAntimeridian, type Polygons } from '../../geo/cut-antimeridian.ts';
import { CITIES, type City } from './cities.ts';
import { type Grid, writeGeoTiff } from './geotiff.ts';

type World = Topology<{ countries: GeometryCollection<{ name: string }> }>;
type Ring = readonly (readonly number[])[];

export function countriesGeoJson(): string {
  const path = createRequire(import.meta.url).resolve('world-atlas/countries-110m.json');
  const world = JSON.parse(readFileSync(path, 'utf8')) as World;
  const { features } = feature(world, world.objects.countries);
  return JSON.stringify({
    type: 'FeatureCollection',
    features: features.map(({ id, geometry, properties }) => ({
      type: 'Feature',
      properties: {
        name: properties.name,
        iso_number: id === undefined ? null : String(id),
        area_km2: Math.round(areaOf(cutAntimeridian(polygonsOf(geometry))) / 1e6),
      },
      geometry: { type: 'MultiPolygon', coordinates: cutAntimeridian(polygonsOf(geometry)) },
    })),
  });
}

export function citiesGeoJson(): string {
  return JSON.stringify({
    type: 'FeatureCollection',
    features: CITIES.map(({ name, country, lng, lat, millions }) => ({
      type: 'Feature',
      properties: { name, country, population_millions: millions },
      geometry: { type: 'Point', coordinates: [lng, lat] },
    })),
  });
}

export function distanceTiff(): Buffer {
  return writeGeoTiff(distanceGrid(CITIES));
}

const CELL = 0.5;
const RADIUS_KM = 6371.0088;
const rad = (degrees: number): number => (degrees * Math.PI) / 180;

/** Kilometres from the middle of each cell to the nearest city. */
export function distanceGrid(cities: readonly City[]): Grid {
  const [width, height] = [360 / CELL, 180 / CELL];
  const values = new Uint16Array(width * height);
  const places = cities.map(({ lng, lat }) => unitVector(lng, lat));
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const [x, y, z] = unitVector(-180 + (column + 0.5) * CELL, 90 - (row + 0.5) * CELL);
      let nearest = -1;
      for (const [px, py, pz] of places) nearest = Math.max(nearest, x * px + y * py + z * pz);
      values[row * width + column] = Math.round(Math.acos(Math.min(1, nearest)) * RADIUS_KM);
    }
  }
  return { width, height, west: -180, north: 90, cell: CELL, values };
}

function unitVector(lng: number, lat: number): readonly [number, number, number] {
  const across = Math.cos(rad(lat));
  return [across * Math.cos(rad(lng)), across * Math.sin(rad(lng)), Math.sin(rad(lat))];
}

function polygonsOf(geometry: { readonly type: string; readonly coordinates?: unknown }): Polygons {
  if (geometry.type === 'Polygon') return [geometry.coordinates] as Polygons;
  return geometry.type === 'MultiPolygon' ? (geometry.coordinates as Polygons) : [];
}

/** Square metres on a sphere; holes count less. */
function areaOf(polygons: Polygons): number {
  return polygons.reduce(
    (sum, [outer = [], ...holes]) => sum + ringArea(outer) - holes.reduce((all, hole) => all + ringArea(hole), 0),
    0,
  );
}

function ringArea(ring: Ring): number {
  let sum = 0;
  for (let i = 0; i + 1 < ring.length; i += 1) {
    const [x0 = 0, y0 = 0] = ring[i] ?? [];
    const [x1 = 0, y1 = 0] = ring[i + 1] ?? [];
    sum += rad(x1 - x0) * (2 + Math.sin(rad(y0)) + Math.sin(rad(y1)));
  }
  return Math.abs((sum * (RADIUS_KM * 1000) ** 2) / 2);
}
