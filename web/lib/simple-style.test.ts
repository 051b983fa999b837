import { expect, test } from 'vitest';
import { HIDDEN, NO_VALUE, withNoValue } from '../../src/geo/style/no-value.ts';
import { parseStyle } from '../../src/geo/style/style-layer.ts';
import { fromLayers, PLAIN, type SimpleStyle, toLayers } from './simple-style.ts';
import { styleLosses } from './style-losses.ts';

const STYLES: readonly SimpleStyle[] = [
  { ...PLAIN, label: 'name', crowd: 7.5 },
  { ...PLAIN, outline: '#123456' },

  {
    ...PLAIN,
    colour: { kind: 'categories', attribute: 'kind', entries: [{ value: 'a', colour: '#111111' }], other: '#cccccc' },
  },
  {
    ...PLAIN,
    colour: {
      kind: 'graduated',
      attribute: 'n',
      breaks: [1, 2],
      colours: ['#111111', '#222222', '#333333'],
      none: NO_VALUE,
    },
  },
  {
    ...PLAIN,
    label: 'n',
    colour: { kind: 'graduated', attribute: 'n', breaks: [1], colours: ['#111111', '#222222'], none: HIDDEN },
  },
  {
    ...PLAIN,
    colour: {
      kind: 'categories',
      attribute: 'kind',
      entries: [{ value: 'a', colour: '#111111' }],
      other: '#cccccc',
      none: '#123456',
    },
  },
];

test.each(STYLES.flatMap((style) => (['point', 'polygon', 'mixed'] as const).map((geometry) => ({ style, geometry }))))(
  'a $style.colour.kind style of $geometry features comes back from its layers',
  ({ style, geometry }) => {
    const back = fromLayers(toLayers(style, geometry));
    expect(back?.colour).toEqual(style.colour);
    expect(back?.label).toBe(style.label);
    expect(back?.opacity).toBe(style.opacity);
    expect(back?.crowd).toBe(style.crowd);
    expect(back?.outline).toBe(style.outline);
    expect(styleLosses(toLayers(style, geometry), geometry)).toEqual([]);
  },
);

test('the outline of areas follows their fill and fades at the overview, unless it has a colour of its own', () => {
  const categories = STYLES.find(({ colour }) => colour.kind === 'categories');
  const [fill, outline] = toLayers({ ...PLAIN, ...categories, crowd: 8 }, 'polygon');
  expect(outline?.paint?.['line-color']).toEqual(fill?.paint?.['fill-color']);
  expect(outline?.paint?.['line-opacity']).toEqual(['interpolate', ['linear'], ['zoom'], 6, 0, 10, 1]);
  const [, own] = toLayers({ ...PLAIN, outline: '#123456' }, 'polygon');
  expect(own?.paint).toEqual({ 'line-color': '#123456', 'line-width': 1.5 });
});

test('the classes that the server proposes can be edited', () => {
  const proposed = ['case', ['has', 'n'], ['step', ['get', 'n'], '#111111', 5, '#222222'], '#cccccc'];
  const back = fromLayers([{ id: 'x', type: 'fill', paint: { 'fill-color': proposed } }]);
  expect(back?.colour).toEqual({
    kind: 'graduated',
    attribute: 'n',
    breaks: [5],
    colours: ['#111111', '#222222'],
    none: '#cccccc',
  });
  expect(toLayers(back ?? PLAIN, 'polygon')[0]?.paint?.['fill-color']).toEqual([
    'case',
    ['has', 'n'],
    ['step', ['to-number', ['get', 'n']], '#111111', 5, '#222222'],
    '#cccccc',
  ]);
});

test('classes that were saved when nothing counted as 0 are edited with a look of their own for what has no number', () => {
  const earlier = ['step', ['to-number', ['get', 'n'], 0], '#111111', 5, '#222222'];
  const layers = [
    { id: 'fill', type: 'fill', paint: { 'fill-color': earlier, 'fill-opacity': 0.75 } },
    { id: 'outline', type: 'line', paint: { 'line-color': earlier, 'line-width': 1.5 } },
  ];
  expect(fromLayers(layers)?.colour).toMatchObject({ kind: 'graduated', breaks: [5], none: NO_VALUE });
  expect(styleLosses(layers, 'polygon')).toEqual([]);
  expect(withNoValue(layers)).toEqual(toLayers(fromLayers(layers) ?? PLAIN, 'polygon'));
});

test('features without a value that are hidden are not drawn, nor their names', () => {
  const graduated = STYLES.find(({ colour }) => colour.kind === 'graduated' && colour.none === HIDDEN) ?? PLAIN;
  expect(toLayers(graduated, 'point').map(({ type, filter }) => [type, filter])).toEqual([
    ['circle', ['has', 'n']],
    ['symbol', ['has', 'n']],
  ]);
  expect(toLayers(graduated, 'mixed')[0]?.filter).toEqual(['all', ['==', ['geometry-type'], 'Polygon'], ['has', 'n']]);
});

test.each<[string, SimpleStyle, 'point' | 'line']>([
  ['a heatmap', { ...PLAIN, colour: { kind: 'heat', ramp: 'magma', reach: 30 }, crowd: 8 }, 'point'],
  [
    'a heatmap of a number, and warmer',
    {
      ...PLAIN,
      colour: { kind: 'heat', ramp: 'heat', reach: 20, strength: 1.75, weight: { attribute: 'people', mean: 12.5 } },
      crowd: 11,
    },
    'point',
  ],
  [
    'a heatmap that nobody knows the density of',
    { ...PLAIN, colour: { kind: 'heat', ramp: 'heat', reach: 20, strength: 0.5 } },
    'point',
  ],
  [
    'a heatmap of an earlier version',
    { ...PLAIN, colour: { kind: 'heat', ramp: 'heat', reach: 20, isEven: true }, crowd: 8 },
    'point',
  ],
  ['a size by a number', { ...PLAIN, radius: 20, sizeBy: { attribute: 'pop', most: 1000, none: '#abcdef' } }, 'point'],
  [
    'a size by a number that hides what has none',
    { ...PLAIN, radius: 20, sizeBy: { attribute: 'pop', most: 1000, none: HIDDEN } },
    'point',
  ],
  [
    'a size by one number and a colour by another',
    {
      ...PLAIN,
      radius: 20,
      sizeBy: { attribute: 'pop', most: 1000, none: HIDDEN },
      colour: { kind: 'graduated', attribute: 'n', breaks: [1], colours: ['#111111', '#222222'], none: HIDDEN },
    },
    'point',
  ],
  ['a star', { ...PLAIN, mark: 'star' }, 'point'],
  ['a dashed line', { ...PLAIN, opacity: 1, dash: 'dashed' }, 'line'],
])('%s comes back from its layers, and nothing of it is lost', (_name, style, geometry) => {
  const layers = toLayers(style, geometry);
  expect(fromLayers(layers)).toEqual(style);
  // The database keeps members in another order.
  const kept = layers.map(({ paint, ...layer }) => ({
    ...layer,
    paint: Object.fromEntries(Object.entries(paint ?? {}).reverse()),
  }));
  expect(fromLayers(kept)).toEqual(style);
  expect(styleLosses(layers, geometry)).toEqual([]);
  expect(parseStyle(layers)).toMatchObject({ ok: true });
});

test('a style made by other means is left alone', () => {
  expect(
    fromLayers([{ id: 'x', type: 'fill', paint: { 'fill-color': ['case', ['has', 'a'], '#111', '#222'] } }]),
  ).toBeUndefined();
  expect(fromLayers([{ id: 'x', type: 'raster' }])).toBeUndefined();
});

test('a heatmap has colours left where eight times as many points lie as made it all one colour before', () => {
  const paintOf = (isEven: boolean) =>
    toLayers(
      {
        ...PLAIN,
        colour: { kind: 'heat', ramp: 'heat', reach: 20, ...(isEven ? { isEven: true as const } : {}) },
        crowd: 8,
      },
      'point',
    )[0]?.paint ?? {};
  const stops = (isEven: boolean): readonly number[] =>
    (paintOf(isEven)['heatmap-color'] as unknown[]).slice(3).filter((part): part is number => typeof part === 'number');
  const most = (isEven: boolean): number => Number((paintOf(isEven)['heatmap-intensity'] as unknown[]).at(-1));
  expect(most(true) / most(false)).toBe(8);
  // What was the last colour is now between the second and the third of five.
  const was = 1 / 8;
  expect(stops(false).filter((stop) => stop <= was)).toHaveLength(3);
  expect(stops(false).at(-1)).toBe(1);
});
