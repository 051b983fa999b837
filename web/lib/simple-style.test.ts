import { expect, test } from 'vitest';
import {
  equalBreaks,
  fromLayers,
  PLAIN,
  quantileBreaks,
  RAMPS,
  rampColours,
  type SimpleStyle,
  toLayers,
} from './simple-style.ts';

const STYLES: readonly SimpleStyle[] = [
  { ...PLAIN, label: 'name' },
  {
    ...PLAIN,
    colour: { kind: 'categories', attribute: 'kind', entries: [{ value: 'a', colour: '#111111' }], other: '#cccccc' },
  },
  {
    ...PLAIN,
    colour: { kind: 'graduated', attribute: 'n', breaks: [1, 2], colours: ['#111111', '#222222', '#333333'] },
  },
];

test.each(STYLES.flatMap((style) => (['point', 'polygon'] as const).map((geometry) => ({ style, geometry }))))(
  'a $style.colour.kind style of $geometry features comes back from its layers',
  ({ style, geometry }) => {
    const back = fromLayers(toLayers(style, geometry));
    expect(back?.colour).toEqual(style.colour);
    expect(back?.label).toBe(style.label);
    expect(back?.opacity).toBe(style.opacity);
  },
);

test('a style made by other means is left alone', () => {
  expect(
    fromLayers([{ id: 'x', type: 'fill', paint: { 'fill-color': ['case', ['has', 'a'], '#111', '#222'] } }]),
  ).toBeUndefined();
  expect(fromLayers([{ id: 'x', type: 'raster' }])).toBeUndefined();
});

test('a ramp begins and ends with its own colours', () => {
  const colours = rampColours(RAMPS['blue'] ?? ['#000000', '#000000', '#000000'], 5);
  expect(colours).toHaveLength(5);
  expect(colours[0]).toBe('#eff3ff');
  expect(colours[2]).toBe('#6baed6');
  expect(colours[4]).toBe('#08306b');
});

test('classes of equal number and of equal width', () => {
  expect(quantileBreaks([1, 2, 3, 4, 5, 6, 7, 8], 4)).toEqual([3, 5, 7]);
  expect(quantileBreaks([5, 5, 5, 5], 4)).toEqual([]);
  expect(quantileBreaks([], 4)).toEqual([]);
  expect(equalBreaks(0, 100, 4)).toEqual([25, 50, 75]);
  expect(equalBreaks(1, 1, 4)).toEqual([]);
});
