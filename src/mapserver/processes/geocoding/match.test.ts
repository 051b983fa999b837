import { expect, test } from 'vitest';
import { cellText, textCell } from './copy-text.ts';
import { countryCode } from './country-code.ts';
import { judge, scoreOf } from './match.ts';

test.each([
  ['Hauptstr. 5, 8000 Zürich', '5, Hauptstrasse, Zürich, 8000, Schweiz', 1],
  ['Hauptstrasse 5', '51, Hauptstrasse, Bern', 0.5],
  ['12 rue de la Paix, Paris', '12, Rue de la Paix, Paris, France', 1],
  ['Łódź', 'Lodz, Polska', 1],
  ['', 'Bern', 0],
  ['Bern', '', 0],
])('of "%s", "%s" has this share of the words', (address, name, score) => {
  expect(scoreOf(address, name)).toBe(score);
});

test('the best is sure if it fits well and nothing far away fits as well', () => {
  const at = (lon: number, score: number) => ({ name: 'x', lon, lat: 47, score });
  expect(judge([])).toEqual({ state: 'none', candidates: [] });
  expect(judge([at(8, 0.5), at(9, 1)])).toEqual({ state: 'sure', candidates: [at(9, 1), at(8, 0.5)] });
  expect(judge([at(8, 1), at(8.001, 1)])).toMatchObject({ state: 'sure' });
  expect(judge([at(8, 1), at(9, 0.96)])).toMatchObject({ state: 'unsure' });
  expect(judge([at(8, 0.79)])).toMatchObject({ state: 'unsure' });
  expect(judge(Array.from({ length: 9 }, (_, n) => at(n, 0.1))).candidates).toHaveLength(5);
});

test.each([
  ['CH', 'CH'],
  [' schweiz ', 'CH'],
  ['Suisse', 'CH'],
  ['Österreich', 'AT'],
  ['usa', 'US'],
  ['Atlantis', undefined],
])('the country %s is %s', (country, code) => {
  expect(countryCode(country)).toBe(code);
});

test.each(['plain', 'a\tb', 'a\nb\r', 'back\\slash', '\\N', ''])('%j is the same after COPY', (text) => {
  expect(cellText(Buffer.from(textCell(text)))).toBe(text);
  expect(textCell(text)).not.toMatch(/[\t\n\r]/);
});

test('nothing is not an empty text', () => {
  expect(textCell(null)).toBe('\\N');
  expect(cellText(Buffer.from('\\N'))).toBeUndefined();
  expect(cellText(Buffer.from('a\\x'))).toBe('ax');
});
