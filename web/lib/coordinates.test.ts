import { expect, test } from 'vitest';
import { coordinateText, parseCoordinates } from './coordinates.ts';

test.each([
  ['48.137, 11.575', [11.575, 48.137]],
  ['-33.9 151.2', [151.2, -33.9]],
  [' 0;0 ', [0, 0]],
  ['95, 10', undefined],
  ['10, 200', undefined],
  ['Berlin', undefined],
  ['1', undefined],
  ['', undefined],
])('%j is read as a place', (text, at) => {
  expect(parseCoordinates(text)).toEqual(at);
});

test('coordinates are written as fine as the map shows, in the words of the reader', () => {
  expect(coordinateText([11.57549, 48.13743], 12, 'en')).toBe('48.1374° N, 11.5755° E');
  expect(coordinateText([-70.5, -33.25], 3, 'de')).toBe('33,3° S, 70,5° W');
  expect(coordinateText([70.5, 33.25], 3, 'de')).toBe('33,3° N, 70,5° O');
  expect(coordinateText([-70.5, 33.25], 3, 'fr')).toBe('33,3° N, 70,5° O');
  expect(coordinateText([190, 0], 3, 'en')).toBe('0.0° N, 170.0° W');
});
