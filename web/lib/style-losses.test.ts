import { expect, test } from 'vitest';
import type { StyleLayer } from '../map/drawn.ts';
import { type GeometryKind, PLAIN, type SimpleStyle, toLayers } from './simple-style.ts';
import { styleLosses } from './style-losses.ts';

const OWN: readonly SimpleStyle[] = [
  PLAIN,
  { ...PLAIN, label: 'name', width: 3 },
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
      none: '#b0b0b0',
      colours: ['#111111', '#222222', '#333333'],
    },
  },
];
const KINDS: readonly GeometryKind[] = ['point', 'line', 'polygon', 'mixed'];

test.each(OWN.flatMap((style) => KINDS.map((geometry) => ({ style, geometry }))))(
  'nothing is lost of a $style.colour.kind style of $geometry features that was made here',
  ({ style, geometry }) => {
    expect(styleLosses(toLayers(style, geometry), geometry)).toEqual([]);
  },
);

const fill = (paint: Record<string, unknown>): StyleLayer => ({ id: 'f', type: 'fill', paint });

test.each<readonly [name: string, layers: readonly StyleLayer[], geometry: GeometryKind, losses: readonly string[]]>([
  [
    'the look of a new layer of areas',
    [
      fill({ 'fill-color': '#1f78b4', 'fill-opacity': 0.5 }),
      { id: 'o', type: 'line', paint: { 'line-color': '#1f78b4', 'line-width': 1 } },
    ],
    'polygon',
    [],
  ],
  ['areas without an outline', [fill({ 'fill-color': '#1f78b4' })], 'polygon', []],
  [
    'classes written another way',
    [fill({ 'fill-color': ['step', ['get', 'n'], '#111111', 5, '#222222'] })],
    'polygon',
    [],
  ],
  [
    'categories that are numbers',
    [fill({ 'fill-color': ['match', ['get', 'n'], 1, '#111111', '#222222'] })],
    'polygon',
    [],
  ],
  [
    'a size by attribute',
    [
      {
        id: 'c',
        type: 'circle',
        paint: { 'circle-color': '#111111', 'circle-radius': ['step', ['get', 'n'], 4, 5, 6] },
      },
    ],
    'point',
    ['circle-radius'],
  ],
  ['a layer from some zoom on', [{ ...fill({ 'fill-color': '#111111' }), minzoom: 5 }], 'polygon', ['minzoom']],
  ['a filter', [{ ...fill({ 'fill-color': '#111111' }), filter: ['==', ['get', 'a'], 1] }], 'polygon', ['fill']],
  [
    'a colour by condition',
    [fill({ 'fill-color': ['case', ['has', 'a'], '#111111', '#222222'] })],
    'polygon',
    ['fill'],
  ],
  ['a heat map', [{ id: 'h', type: 'heatmap', paint: {} }], 'point', ['heatmap']],
  ['two fills', [fill({ 'fill-color': '#111111' }), fill({ 'fill-color': '#222222' })], 'polygon', ['fill']],
  [
    'a dashed line',
    [{ id: 'l', type: 'line', paint: { 'line-color': '#111111', 'line-dasharray': [7, 1] } }],
    'line',
    ['line-dasharray'],
  ],
  [
    'a text made of parts',
    [
      fill({ 'fill-color': '#111111' }),
      { id: 't', type: 'symbol', layout: { 'text-field': ['concat', ['get', 'a'], '!'] } },
    ],
    'polygon',
    ['symbol'],
  ],
  [
    'something hidden',
    [{ ...fill({ 'fill-color': '#111111' }), layout: { visibility: 'none' } }],
    'polygon',
    ['visibility'],
  ],
])('%s: what the editor would not keep is known', (_name, layers, geometry, losses) => {
  expect(styleLosses(layers, geometry)).toEqual(losses);
});
