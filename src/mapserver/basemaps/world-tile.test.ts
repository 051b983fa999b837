import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { expect, test } from 'vitest';
import { parseTileAddress } from '../../geo/tile.ts';
import { inSlices } from '../../kernel/in-slices.ts';
import { loadBasemap } from '../thumbnails/basemap.ts';
import { cutLine, cutRing } from './cut-line.ts';
import { loadWorldData } from './world-data.ts';
import { leastPeople, makeWorldTile } from './world-tile.ts';

type Found = { readonly properties: Readonly<Record<string, unknown>>; readonly at: readonly [number, number] };

async function tileOf(z: number, x: number, y: number): Promise<(layer: string) => readonly Found[]> {
  const address = parseTileAddress(String(z), String(x), String(y));
  if (!address.ok) throw new Error(address.error.said);
  const bytes = await inSlices(makeWorldTile(address.value, await loadBasemap(z), await loadWorldData()));
  const { layers } = new VectorTile(new PbfReader(bytes));
  return (name) =>
    Array.from({ length: layers[name]?.length ?? 0 }, (_, i) => {
      const feature = layers[name]?.feature(i);
      const shape = feature?.toGeoJSON(x, y, z).geometry as { readonly coordinates: readonly number[] } | undefined;
      const [lon = 0, lat = 0] = shape?.coordinates ?? [];
      return { properties: feature?.properties ?? {}, at: [lon, lat] };
    });
}

test('the world has land, borders and its countries by name, in both languages', async () => {
  const world = await tileOf(0, 0, 0);
  expect(world('land').length).toBeGreaterThan(50);
  expect(world('borders').length).toBeGreaterThan(100);
  const find = (name: string): Found | undefined => world('countries').find((one) => one.properties['name'] === name);
  expect(find('Germany')?.properties['name_de']).toBe('Deutschland');
  for (const [name, lon, lat] of [
    ['Fiji', 177, -18],
    ['Germany', 10, 51],
    ['Russia', 98, 62],
    ['Brazil', -53, -11],
  ] as const) {
    expect(Math.abs((find(name)?.at[0] ?? 0) - lon)).toBeLessThan(5);
    expect(Math.abs((find(name)?.at[1] ?? 0) - lat)).toBeLessThan(5);
  }
});

test('nearer by there are rivers, lakes, states and places, the more the nearer', async () => {
  const region = await tileOf(6, 33, 22);
  expect(region('states').length).toBeGreaterThan(10);
  expect(region('lakes').length).toBeGreaterThan(0);
  expect(region('rivers').length).toBeGreaterThan(0);
  const munich = (await tileOf(6, 34, 22))('places').find(({ properties }) => properties['name_de'] === 'München');
  expect(munich?.properties).toMatchObject({ name: 'Munich' });
  expect(munich?.at[0]).toBeCloseTo(11.58, 1);
  const town = await tileOf(10, 544, 355);
  expect(town('places').length).toBeGreaterThan(5);
  for (let zoom = 2; zoom < 12; zoom++) expect(leastPeople(zoom)).toBeLessThanOrEqual(leastPeople(zoom - 1));
});

test('rings are closed along the edge of what they are cut to, lines end near it', () => {
  const square = [0, 0, 10, 0, 10, 10, 0, 10];
  expect(cutRing(square, [5, 5, 20, 20])).toEqual([5, 5, 10, 5, 10, 10, 5, 10]);
  expect(cutRing(square, [20, 20, 30, 30])).toEqual([]);
  expect(cutLine([0, 0, 1, 0, 9, 0, 10, 0, 30, 0], [4, -1, 6, 1])).toEqual([[1, 0, 9, 0]]);
});
