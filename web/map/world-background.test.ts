import { expect, test } from 'vitest';
import { worldBackground } from './world-background.ts';

type Feature = {
  readonly properties: { readonly kind: string; readonly name?: string };
  readonly geometry: { readonly coordinates: readonly [number, number] };
};

const { features } = worldBackground() as { readonly features: readonly Feature[] };

test.each([
  ['Fiji', 177, -18],
  ['Germany', 10, 51],
  ['Russia', 98, 62],
  ['Brazil', -53, -11],
])('the name of %s stands in it', (name, lng, lat) => {
  const at = features.find(({ properties }) => properties.name === name)?.geometry.coordinates;
  expect(Math.abs((at?.[0] ?? 0) - lng)).toBeLessThan(4);
  expect(Math.abs((at?.[1] ?? 0) - lat)).toBeLessThan(4);
});
