import { expect, test } from 'vitest';
import { candidatesOf, isGeocoded, placedBody } from './geocode-review.ts';

const row = (more: object = {}) => ({ id: 3, properties: { geocode_address: 'x', geocode_state: 'unsure', ...more } });
const PLACE = { name: 'X', lon: 8, lat: 47, score: 0.5 };

test('a row is one whose place was looked up; what is no candidate is left out', () => {
  expect(isGeocoded(row())).toBe(true);
  expect(isGeocoded({ id: 3, properties: { name: 'x' } })).toBe(false);
  expect(isGeocoded({ properties: row().properties })).toBe(false);
  expect(candidatesOf(row())).toEqual([]);
  expect(candidatesOf(row({ geocode_candidates: [PLACE, { name: 'Y' }, null] }))).toEqual([{ ...PLACE, zoom: 8 }]);
  expect(candidatesOf(row({ geocode_source: 'geocoder', geocode_candidates: [PLACE] }))).toMatchObject([{ zoom: 15 }]);
});

test('what is saved says that somebody looked, and where the place is from', () => {
  expect(placedBody(PLACE, 'by hand')).toEqual({
    geometry: { type: 'Point', coordinates: [8, 47] },
    properties: { geocode_state: 'checked', geocode_match: 'X', geocode_score: 0.5 },
  });
  expect(placedBody({ ...PLACE, name: '', score: undefined }, 'by hand')).toEqual({
    geometry: { type: 'Point', coordinates: [8, 47] },
    properties: { geocode_state: 'checked', geocode_match: null, geocode_score: null, geocode_source: 'by hand' },
  });
  expect(placedBody(undefined, 'by hand')).toEqual({
    geometry: null,
    properties: { geocode_state: 'checked', geocode_match: null, geocode_score: null, geocode_source: null },
  });
});
