import { expect, test } from 'vitest';
import { atOnce } from '../../kernel/in-slices.ts';
import { hillshade } from './hillshade.ts';

const LIGHT = { azimuth: 315, altitude: 45, exaggeration: 1 };
const METRES = { width: 10, height: 10, isDegrees: false, top: 0 };
const isNothing = (value: number): boolean => Number.isNaN(value);
/** A plane of 5 × 5 that rises by so many metres a pixel to the east and to the north. */
const plane = (east: number, north: number): Float32Array =>
  Float32Array.from({ length: 25 }, (_, i) => (i % 5) * east - Math.floor(i / 5) * north);
const middle = (heights: Float32Array, cell = METRES, light = LIGHT): number =>
  atOnce(hillshade(heights, [5, 5], cell, light, isNothing))[12] ?? Number.NaN;

test('level ground is as bright as the light is high', () => {
  expect(middle(plane(0, 0))).toBeCloseTo(Math.SQRT1_2);
  expect(middle(plane(0, 0), METRES, { ...LIGHT, altitude: 90 })).toBeCloseTo(1);
});

test('slopes that face the light are brighter than those behind', () => {
  // Light from the north-west: ground that rises to the south-east faces it.
  expect(middle(plane(7, -7))).toBeGreaterThan(0.95);
  expect(middle(plane(-7, 7))).toBeLessThan(0.1);
  expect(middle(plane(7, -7), METRES, { ...LIGHT, azimuth: 135 })).toBeLessThan(0.1);
});

test('degrees are taken for metres where they are, and exaggeration makes slopes steeper', () => {
  const cell = { width: 10 / 111_320, height: 10 / 111_320, isDegrees: true, top: 0 };
  expect(middle(plane(2, -2), cell)).toBeCloseTo(middle(plane(2, -2)), 3);
  expect(middle(plane(1, -1), METRES, { ...LIGHT, exaggeration: 2 })).toBeCloseTo(middle(plane(2, -2)), 5);
});

test('where there is no height there is nothing, and its neighbours are lit by themselves', () => {
  const heights = plane(0, 0);
  heights[12] = Number.NaN;
  const shades = atOnce(hillshade(heights, [5, 5], METRES, LIGHT, isNothing));
  expect(shades[12]).toBeNaN();
  expect(shades[11]).toBeCloseTo(Math.SQRT1_2);
});
