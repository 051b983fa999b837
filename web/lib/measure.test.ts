import { expect, test } from 'vitest';
import { areaOf, distance, lengthOf, readableArea, readableLength } from './measure.ts';

test('a degree along the equator is 111.2 km, and Berlin lies 878 km from Paris', () => {
  expect(distance([0, 0], [1, 0]) / 1000).toBeCloseTo(111.195, 2);
  expect(distance([13.405, 52.52], [2.3522, 48.8566]) / 1000).toBeCloseTo(877.5, 0);
});

test('a way is as long as its parts', () => {
  expect(
    lengthOf([
      [0, 0],
      [1, 0],
      [2, 0],
    ]),
  ).toBeCloseTo(2 * distance([0, 0], [1, 0]), 3);
  expect(lengthOf([[5, 5]])).toBe(0);
});

test('an eighth of the globe', () => {
  expect(
    areaOf([
      [0, 0],
      [90, 0],
      [90, 90],
      [0, 90],
    ]) /
      (4 * Math.PI * 6_371_008.8 ** 2),
  ).toBeCloseTo(1 / 8, 6);
  expect(
    areaOf([
      [0, 0],
      [1, 1],
    ]),
  ).toBe(0);
});

test.each([
  [999, 'm'],
  [1999, 'm'],
  [2000, 'km'],
  [5000, 'km'],
])('%d metres are read in %s', (metres, unit) => expect(readableLength(metres).unit).toBe(unit));

test.each([
  [100, 'm²'],
  [19_999, 'm²'],
  [20_000, 'ha'],
  [50_000, 'ha'],
  [1_999_999, 'ha'],
  [2_000_000, 'km²'],
  [5e6, 'km²'],
])('%d square metres are read in %s', (metres, unit) => expect(readableArea(metres).unit).toBe(unit));
