import { expect, test } from 'vitest';
import { makeGazetteer } from './find-places.ts';
import { plainName } from './plain-name.ts';
import { toDegrees } from './web-metres.ts';
import { loadWorldData } from './world-data.ts';

const gazetteer = await makeGazetteer(await loadWorldData(), toDegrees);
const names = (query: string, language = 'en'): readonly string[] =>
  gazetteer.find(query, language).map(({ name }) => name);

test('places are found by the beginning of their names, in either language, the largest first', () => {
  expect(names('munic')[0]).toBe('Munich');
  expect(names('münchen', 'de')[0]).toBe('München');
  expect(gazetteer.find('Munich', 'en')[0]).toMatchObject({ country: 'DE', lon: 11.575, lat: 48.137 });
  expect(names('zurich')[0]).toMatch(/^Z(ü|u)rich/);
  expect(names('germany')).toContain('Germany');
  expect(names('deutschland', 'de')[0]).toBe('Deutschland');
  expect(names('paris')[0]).toBe('Paris');
});

test('a place is found by what it is called elsewhere, shown as the reader calls it, and stands before smaller ones of that name', () => {
  expect(gazetteer.find('Cologne', 'en')[0]).toMatchObject({ name: 'Cologne', country: 'DE' });
  expect(gazetteer.find('Köln', 'en')[0]).toMatchObject({ name: 'Cologne', country: 'DE' });
  expect(gazetteer.find('Colonia', 'de')[0]).toMatchObject({ name: 'Köln', country: 'DE' });
  expect(gazetteer.find('Roma', 'fr')[0]).toMatchObject({ name: 'Rome', country: 'IT' });
  expect(gazetteer.find('Londres', 'es')[0]).toMatchObject({ name: 'Londres', country: 'GB' });
  expect(gazetteer.find('Praga', 'en')[0]).toMatchObject({ name: 'Prague', country: 'CZ' });
  expect(gazetteer.find('東京', 'en')[0]).toMatchObject({ name: 'Tokyo', country: 'JP' });
  expect(gazetteer.find('Москва', 'en')[0]).toMatchObject({ name: 'Moscow', country: 'RU' });
});

test('accents and case make no difference, and nothing is found of nothing', () => {
  expect(plainName('Łódź')).toBe('lodz');
  expect(plainName('STRAßE')).toBe('strasse');
  expect(names('LODZ')[0]).toMatch(/^Ł?L?[oó]d[zź]/i);
  expect(names('  ')).toEqual([]);
  expect(names('q'.repeat(10_000))).toEqual([]);
  expect(names('a')).toHaveLength(10);
});
