import { expect, test } from 'vitest';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { KnownCrs } from '../query/known-crs.ts';
import { parseFeature } from './parse-feature.ts';

const LAYER = {
  primaryKey: 'fid',
  columns: [{ name: 'fid' }, { name: 'name' }, { name: 'area', generated: true }],
} as unknown as VectorLayer;
const crs = (srid: number, isNorthFirst = false) => ({ srid, isNorthFirst }) as KnownCrs;
const point = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] });
const read = (body: unknown, isWhole = false, of = crs(4326)) => {
  const parsed = parseFeature(body, LAYER, of, isWhole);
  return parsed.ok ? { ...parsed.value, properties: { ...parsed.value.properties } } : parsed.error.detail;
};

test('a new feature is whole, of a change only what is there counts', () => {
  const whole = { type: 'Feature', geometry: point(1, 2), properties: { name: 'x' } };
  expect(read(whole, true)).toEqual({ geometry: point(1, 2), properties: { name: 'x' } });
  expect(read({ properties: { name: 'x' } })).toEqual({ geometry: undefined, properties: { name: 'x' } });
  expect(read({ geometry: null, properties: null })).toEqual({ geometry: null, properties: {} });
  expect(read({ type: 'Feature', geometry: null }, true)).toEqual({ geometry: null, properties: {} });
  expect(read({ ...whole, type: undefined }, true)).toBe('A GeoJSON feature was expected.');
  expect(read({ type: 'Feature', properties: {} }, true)).toMatch(/has a member "geometry"/);
});

test('the key and what the database fills are passed over, as whoever sends a feature back has them', () => {
  expect(read({ properties: { fid: 7, area: 5, name: 'x' } })).toMatchObject({ properties: { name: 'x' } });
});

test.each([
  [null, 'A GeoJSON feature was expected.'],
  [[], 'A GeoJSON feature was expected.'],
  ['x', 'A GeoJSON feature was expected.'],
  [{ type: 'Point' }, 'A GeoJSON feature was expected.'],
  [{ properties: [] }, 'The properties of a feature are an object.'],
  [{ properties: 5 }, 'The properties of a feature are an object.'],
  [{ properties: { ['x'.repeat(300)]: 1 } }, `There is no property "${'x'.repeat(100)}".`],
  [{ properties: { __proto__x: 1 } }, 'There is no property "__proto__x".'],
  [{ geometry: { type: 'Point', coordinates: [1] } }, expect.stringMatching(/^geometry: /)],
])('%j is refused', (body, said) => {
  expect(read(body)).toEqual(said);
});

test('a place is on the earth where it is told in degrees, whichever comes first', () => {
  const beyond = 'geometry: a position lies beyond the poles.';
  expect(read({ geometry: point(5, 95) })).toBe(beyond);
  expect(read({ geometry: point(95, 5) }, false, crs(4326, true))).toBe(beyond);
  expect(read({ geometry: point(95, 5) })).toMatchObject({ geometry: point(95, 5) });
  expect(read({ geometry: point(5, 95) }, false, crs(25832))).toMatchObject({ geometry: point(5, 95) });
});
