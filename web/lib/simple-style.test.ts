import { expect, test } from 'vitest';
import { fromLayers, PLAIN, type SimpleStyle, toLayers } from './simple-style.ts';

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
