// Natural Earth's land (public domain, from the package world-atlas) → one small picture of the continents. Runs in the build, not in the
// browser.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

import { cutAntimeridian, type Polygons } from '../../src/geo/cut-antimeridian.ts';

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
