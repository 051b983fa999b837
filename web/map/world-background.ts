// Natural Earth's countries (public domain, from the package world-atlas) → the background of our maps as GeoJSON: land, borders,
// names and a grid. Runs in the build, not in the browser.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature, merge, mesh } from 'topojson-client';
import type { GeometryCollection, MultiPolygon, Polygon, Topology } from 'topojson-specification';

import { cutAntimeridian, type Polygons } from '../../src/geo/cut-antimeridian.ts';

type World = Topology<{ countries: GeometryCollection<{ name: string }> }>;
type Position = readonly number[];

export function worldBackground(): unknown {
  const path = createRequire(import.meta.url).resolve('world-atlas/countries-50m.json');
  const world = JSON.parse(readFileSync(path, 'utf8')) as World;
  const { countries } = world.objects;
  const land = merge(world, countries.geometries as (Polygon | MultiPolygon)[]);
  const flat = { type: 'MultiPolygon', coordinates: cutAntimeridian(land.coordinates as Polygons) };
  const border = mesh(world, countries, (a, b) => a !== b);
  const names = feature(world, countries).features.flatMap(({ geometry, properties }) => {
    const polygons =
      geometry.type === 'Polygon'
        ? [geometry.coordinates]
        : geometry.type === 'MultiPolygon'
          ? geometry.coordinates
          : [];
    // The middle of a country on both sides of the date line lies in the one half or the other, not between them.
    const rings = cutAntimeridian(polygons as Polygons).map(([ring]) => ring);
    const largest = rings.map((ring) => centre(ring ?? [])).sort((a, b) => b.size - a.size)[0];
    return largest === undefined
      ? []
      : [item('name', { type: 'Point', coordinates: largest.at }, { name: properties.name, size: largest.size })];
  });
  return {
    type: 'FeatureCollection',
    features: [item('grid', grid()), item('land', rounded(flat)), item('border', rounded(border)), ...names],
  };
}

/** The continents as one small picture, for where an item lies. A unit is a degree. */
export function landPicture(): string {
  const path = createRequire(import.meta.url).resolve('world-atlas/land-110m.json');
  const world = JSON.parse(readFileSync(path, 'utf8')) as Topology<{ land: GeometryCollection }>;
  const rings = feature(world, world.objects.land).features.flatMap(({ geometry }) =>
    cutAntimeridian((geometry.type === 'MultiPolygon' ? geometry.coordinates : []) as Polygons).flat(),
  );
  const outline = rings.map(
    (ring) => `M${ring.map(([x = 0, y = 0]) => `${x.toFixed(1)} ${(-y).toFixed(1)}`).join('L')}Z`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-180 -90 360 180"><path d="${outline.join('')}"/></svg>`;
}

function item(kind: string, geometry: unknown, more: Record<string, unknown> = {}): unknown {
  return { type: 'Feature', properties: { kind, ...more }, geometry };
}

/** A hundred metres are enough for a background. */
function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, one: unknown) =>
    typeof one === 'number' ? Math.round(one * 1000) / 1000 : one,
  );
}

/** Centre of gravity and area, in degrees. */
function centre(ring: readonly Position[]): { at: [number, number]; size: number } {
  let [area, x, y] = [0, 0, 0];
  for (let i = 0; i + 1 < ring.length; i += 1) {
    const [x0 = 0, y0 = 0] = ring[i] ?? [];
    const [x1 = 0, y1 = 0] = ring[i + 1] ?? [];
    const cross = x0 * y1 - x1 * y0;
    area += cross;
    x += (x0 + x1) * cross;
    y += (y0 + y1) * cross;
  }
  if (area === 0) return { at: [0, 0], size: 0 };
  return {
    at: [Math.round((x / (3 * area)) * 100) / 100, Math.round((y / (3 * area)) * 100) / 100],
    size: Math.round(Math.abs(area / 2) * 10) / 10,
  };
}

function grid(): unknown {
  const lines: Position[][] = [];
  for (let lon = -180; lon <= 180; lon += 30) lines.push([-85, -45, 0, 45, 85].map((lat) => [lon, lat]));
  for (let lat = -60; lat <= 80; lat += 20) lines.push([-180, -90, 0, 90, 180].map((lon) => [lon, lat]));
  return { type: 'MultiLineString', coordinates: lines };
}
