// Clusters and hexagons as the simple editor makes them, and back.

import { expect, test } from 'vitest';
import { parseStyle } from '../../src/geo/style/style-layer.ts';
import { parseBreaks } from './group-style.ts';
import { legendOf } from './legend.ts';
import { type Colouring, fromLayers, PLAIN, toLayers } from './simple-style.ts';
import { styleLosses } from './style-losses.ts';

const COLOURINGS: readonly Colouring[] = [
  { kind: 'cluster', ramp: 'viridis', size: 32 },
  { kind: 'hexagon', ramp: 'blue', size: 40, of: 'count', attribute: '', breaks: [2, 5] },
  { kind: 'hexagon', ramp: 'heat', size: 12, of: 'mean', attribute: 'height', breaks: [1.5, 7] },
  { kind: 'hexagon', ramp: 'heat', size: 12, of: 'sum', attribute: 'height', breaks: [] },
];

test.each(COLOURINGS)('$kind is drawn, read back as it was, and kept whole by the editor', (colour) => {
  const style = { ...PLAIN, colour, opacity: 0.5, outline: '#123456' };
  const layers = toLayers(style, 'point');
  expect(parseStyle(layers)).toMatchObject({ ok: true });
  expect(fromLayers(layers)).toMatchObject({ colour, opacity: 0.5, outline: '#123456' });
  expect(styleLosses(layers, 'point')).toEqual([]);
});

test('the smallest groups are not as pale as the land, and styles saved with paler ones are still known', () => {
  const colour: Colouring = { kind: 'cluster', ramp: 'heat', size: 64 };
  const [circle, ...counts] = toLayers({ ...PLAIN, colour }, 'point');
  const classes = ['#fec677', '#fec677', 10, '#fd8d3c', 100, '#d14e29', 1000, '#a50f15'];
  expect(circle?.paint?.['circle-color']).toEqual(['step', ['get', 'point_count'], classes[0], 2, ...classes.slice(1)]);
  const pale = [
    'step',
    ['get', 'point_count'],
    '#ffffb2',
    2,
    '#ffffb2',
    10,
    '#feb363',
    100,
    '#e0632f',
    1000,
    '#a50f15',
  ];
  const black = { 'text-color': '#1c1c1c', 'text-halo-color': '#ffffff', 'text-halo-width': 1.2 };
  const saved = [
    ...(circle === undefined ? [] : [{ ...circle, paint: { ...circle.paint, 'circle-color': pale } }]),
    ...counts.map((layer) => ({ ...layer, paint: black })),
  ];
  expect(saved).toHaveLength(2);
  expect(fromLayers(saved)).toMatchObject({ colour });
});

test('groups that somebody else made are not pressed into this form', () => {
  const [layer] = toLayers({ ...PLAIN, colour: { kind: 'cluster', ramp: 'heat', size: 64 } }, 'point');
  expect(fromLayers(layer === undefined ? [] : [{ ...layer, minzoom: 5 }])).toBeUndefined();
});

test('the legend of groups counts, or says of what it tells the mean', () => {
  const [cluster, , hexagon] = COLOURINGS.map((colour) => legendOf(toLayers({ ...PLAIN, colour }, 'point')));
  expect(cluster?.map(({ label, of }) => [label, of])).toEqual([
    ['< 2', 'count'],
    ['2 – 10', 'count'],
    ['10 – 100', 'count'],
    ['100 – 1000', 'count'],
    ['≥ 1000', 'count'],
  ]);
  expect(hexagon?.[0]).toMatchObject({ of: 'mean', attribute: 'height', label: '< 1.5' });
});

test.each([
  ['2, 5, 10', [2, 5, 10]],
  ['1.5;2', [1.5, 2]],
  ['', []],
  ['5, 2', undefined],
  ['1, x', undefined],
  ['1,2,3,4,5,6,7,8,9,10,11,12', undefined],
])('limits %j', (text, limits) => {
  expect(parseBreaks(text)).toEqual(limits);
});
