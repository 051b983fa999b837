import { expect, test } from 'vitest';
import { formatColor, hexColor, mixColors, parseColor } from './color.ts';

test.each([
  ['#f80', [255, 136, 0, 1]],
  ['#f808', [255, 136, 0, 136 / 255]],
  ['#ff8000', [255, 128, 0, 1]],
  ['#ff800033', [255, 128, 0, 0.2]],
  [' RebeccaPurple ', [102, 51, 153, 1]],
  ['aliceblue', [240, 248, 255, 1]],
  ['yellowgreen', [154, 205, 50, 1]],
  ['transparent', [0, 0, 0, 0]],
  ['rgb(255, 128, 0)', [255, 128, 0, 1]],
  ['rgb(100%, 50%, 0%)', [255, 127.5, 0, 1]],
  ['rgba(300 -5 10 / 50%)', [255, 0, 10, 0.5]],
  ['rgba(1, 2, 3, 7)', [1, 2, 3, 1]],
  ['hsl(0, 100%, 50%)', [255, 0, 0, 1]],
  ['hsl(120deg, 100%, 25%)', [0, 127.5, 0, 1]],
  ['hsla(-120, 100%, 50%, 0.25)', [0, 0, 255, 0.25]],
  ['hsl(60, 50%, 75%)', [223.125, 223.125, 159.375, 1]],
])('%s is a colour', (text, color) => {
  expect(parseColor(text)).toEqual(color.map((part) => expect.closeTo(part, 6)));
});

test.each([
  '',
  'blau',
  '#ff',
  '#ff80000',
  '#ggg',
  'rgb(1, 2)',
  'rgb(1, 2, 3, 4, 5)',
  'rgb(a, b, c)',
  `#fff${' '.repeat(61)}`,
])('%j is none', (text) => {
  expect(parseColor(text)).toBeUndefined();
});

test('a colour is written in six digits, or with its opacity where it has one', () => {
  expect(formatColor([1, 127.5, 255, 1])).toBe('#0180ff');
  expect(formatColor([1, 2, 3, 0.123_45])).toBe('rgba(1, 2, 3, 0.1235)');
  expect(hexColor([1, 2, 3, 0.5])).toBe('#010203');
});

test('colours mix in all their parts', () => {
  expect(mixColors([0, 100, 200, 0], [100, 0, 100, 1], 0.25)).toEqual([25, 75, 175, 0.25]);
});
