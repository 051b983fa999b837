import { expect, test } from 'vitest';
import { sizeExpression } from '../../src/geo/style/proportional-size.ts';
import type { StyleLayer } from '../map/drawn.ts';
import { classesOf, isFaintSign, legendOf, signDashes } from './legend.ts';

test('an area with an outline is one entry', () => {
  expect(
    legendOf([
      { id: 'fill', type: 'fill', paint: { 'fill-color': '#123456' } },
      { id: 'outline', type: 'line', paint: { 'line-color': '#654321' } },
    ]),
  ).toEqual([{ label: '', symbol: { shape: 'fill', colour: '#123456', outline: '#654321', size: undefined } }]);
});

test.each([
  ['#fff', [{ label: undefined, colour: '#fff' }]],
  [
    ['match', ['get', 'kind'], 'a', '#111', ['b', 'c'], '#222', '#333'],
    [
      { label: 'a', colour: '#111' },
      { label: 'b, c', colour: '#222' },
      { label: '…', colour: '#333' },
    ],
  ],
  [
    ['step', ['get', 'n'], '#111', 10, '#222', 20, '#333'],
    [
      { label: '< 10', colour: '#111' },
      { label: '10 – 20', colour: '#222' },
      { label: '≥ 20', colour: '#333' },
    ],
  ],
  [
    ['interpolate', ['linear'], ['get', 'n'], 0, '#111', 5, ['rgb', 1, 2, 3]],
    [
      { label: '0', colour: '#111' },
      { label: '5', colour: 'rgb(1 2 3)' },
    ],
  ],
  [
    ['case', ['>=', ['get', 'n'], 15], '#111', ['has', 'n'], '#222', '#333'],
    [
      { label: '≥ 15', colour: '#111' },
      { label: 'n', colour: '#222' },
      { label: '…', colour: '#333' },
    ],
  ],
  [['unheard-of', ['get', 'x'], '#abc'], [{ label: undefined, colour: '#abc' }]],
  [{ stops: [] }, [{ label: undefined, colour: '#888888' }]],
  [['coalesce', ['get', 'url(javascript:alert(1))']], [{ label: undefined, colour: '#888888' }]],
])('the colours %j have classes', (value, classes) => {
  expect(classesOf(value)).toEqual(classes);
});

test('the legend has the opacity of the map, the attribute of the classes and an outline that follows them', () => {
  const colour = ['match', ['to-string', ['get', 'kind']], 'a', '#111111', '#333333'];
  const fade = ['interpolate', ['linear'], ['zoom'], 6, 0, 10, 1];
  const legend = legendOf([
    { id: 'fill', type: 'fill', paint: { 'fill-color': colour, 'fill-opacity': 0.5 } },
    { id: 'outline', type: 'line', paint: { 'line-color': colour, 'line-opacity': fade } },
  ]);
  expect(legend).toEqual([
    { label: 'a', attribute: 'kind', symbol: { shape: 'fill', colour: '#111111', outline: '#111111', opacity: 0.5 } },
    { label: '…', attribute: 'kind', symbol: { shape: 'fill', colour: '#333333', outline: '#333333', opacity: 0.5 } },
  ]);
});

test('a point is shown as large as it is near by', () => {
  const size = (small: number, large: number): unknown => ['interpolate', ['linear'], ['zoom'], 6, small, 10, large];
  const paint = { 'circle-color': '#111111', 'circle-radius': size(1.5, 6), 'circle-stroke-width': size(0, 1) };
  expect(legendOf([{ id: 'x', type: 'circle', paint }])[0]?.symbol.size).toBe(6);
});

test('a hidden layer and labels are not in the legend', () => {
  expect(
    legendOf([
      { id: 'a', type: 'circle', layout: { visibility: 'none' }, paint: { 'circle-color': '#111' } },
      { id: 'b', type: 'symbol', paint: { 'text-color': '#111' } },
    ]),
  ).toEqual([]);
});

test('points as large as a number says are told by their sizes, beside the classes of their colours', () => {
  const radius = sizeExpression({ radius: 14, attribute: 'people', most: 60 });
  const told = (colour: unknown) =>
    legendOf([{ id: 'a', type: 'circle', paint: { 'circle-color': colour, 'circle-radius': radius } }]).map(
      ({ label, attribute, symbol }) => [label, attribute, symbol.colour, symbol.size],
    );
  expect(told('#123456').slice(0, 2)).toEqual([
    ['60', 'people', '#123456', 8],
    ['15', 'people', '#123456', 4],
  ]);
  expect(told(['step', ['get', 'n'], '#111', 10, '#222'])).toEqual([
    ['< 10', 'n', '#111', undefined],
    ['≥ 10', 'n', '#222', undefined],
    ['60', 'people', '#888888', 8],
    ['15', 'people', '#888888', 4],
    ['3.8', 'people', '#888888', 8 * Math.sqrt(3.8 / 60)],
    ['∅', 'people', '#888888', 3],
  ]);
});

test('features without a value have an entry of their own, which says in which column', () => {
  const told = (layer: StyleLayer) =>
    legendOf([layer]).map(({ label, missing, symbol }) => [label, missing, symbol.colour]);
  const classes = ['case', ['has', 'n'], ['step', ['to-number', ['get', 'n']], '#111111', 5, '#222222'], '#b0b0b0'];
  expect(told({ id: 'a', type: 'fill', paint: { 'fill-color': classes } })).toEqual([
    ['< 5', undefined, '#111111'],
    ['≥ 5', undefined, '#222222'],
    ['∅', 'n', '#b0b0b0'],
  ]);
  const radius = sizeExpression({ radius: 14, attribute: 'people', most: 60 });
  const colour = ['case', ['has', 'people'], '#111111', '#b0b0b0'];
  const sized: StyleLayer = { id: 'a', type: 'circle', paint: { 'circle-color': colour, 'circle-radius': radius } };
  expect(told(sized).at(0)).toEqual(['60', undefined, '#111111']);
  expect(told(sized).at(-1)).toEqual(['∅', 'people', '#b0b0b0']);
  // As an SLD has it: a rule with PropertyIsNull.
  const rule: StyleLayer = {
    id: 'a',
    type: 'line',
    filter: ['==', ['get', 'n'], null],
    paint: { 'line-color': '#111' },
  };
  expect(told(rule)).toEqual([['∅', 'n', '#111']]);
  const group = { kind: 'hexagon', size: 32, value: { of: 'mean', column: 'price' } };
  const hexagons = ['case', ['has', 'value'], ['step', ['get', 'value'], '#111111', 5, '#222222'], '#b0b0b0'];
  expect(
    told({ id: 'a', type: 'fill', metadata: { 'survest:group': group }, paint: { 'fill-color': hexagons } }).at(-1),
  ).toEqual(['∅', 'price', '#b0b0b0']);
});

test('a pattern of dashes is seen twice in the sign of a line', () => {
  expect(signDashes([4, 2], 2, 24)).toEqual([8, 4]);
  expect(signDashes([4, 2], 4, 24)).toEqual([8, 4]);
  expect(signDashes([4, 2, 1, 2], 4, 18)).toEqual([4, 2, 1, 2]);
  expect(signDashes([3], 4, 24)).toEqual([6]);
  expect(signDashes([0, 0], 4, 24)).toEqual([0, 0]);
});

test('a heatmap goes from few to many', () => {
  const ramp = [
    'interpolate',
    ['linear'],
    ['heatmap-density'],
    0,
    'rgba(0,0,0,0)',
    0.2,
    '#111',
    0.5,
    '#222',
    1,
    '#333',
  ];
  const legend = legendOf([{ id: 'a', type: 'heatmap', paint: { 'heatmap-color': ramp } }]);
  expect(legend.map(({ label, symbol }) => [label, symbol.colour])).toEqual([
    ['▁', '#111'],
    ['', '#222'],
    ['█', '#333'],
  ]);
});

test('a dashed line is dashed in the legend', () => {
  const line = (dash: unknown) =>
    legendOf([{ id: 'a', type: 'line', paint: { 'line-color': '#123', 'line-dasharray': dash } }])[0]?.symbol.dash;
  expect(line([4, 2])).toEqual([4, 2]);
  expect(line(['literal', [4, 2]])).toBeUndefined();
  expect(line([])).toBeUndefined();
});

test('outlines are as see-through as on the map, and colours keep their own opacity', () => {
  const [entry] = legendOf([
    {
      id: 'a',
      type: 'circle',
      paint: {
        'circle-color': ['rgba', 255, 0, 0, 0.5],
        'circle-opacity': 0.8,
        'circle-stroke-color': '#ffffff',
        'circle-stroke-opacity': 0.4,
        'circle-stroke-width': 1,
      },
    },
  ]);
  expect(entry?.symbol).toMatchObject({
    colour: 'rgb(255 0 0 / 0.5)',
    opacity: 0.8,
    outline: '#ffffff',
    outlineOpacity: 0.4,
  });
});

test('a sign is faint where neither its colour nor its outline stands out from the land', () => {
  const sign = { shape: 'fill', colour: '#fdfdfd' } as const;
  expect(isFaintSign(sign, '#f7f4ec')).toBe(true);
  expect(isFaintSign({ ...sign, outline: '#ffffff' }, '#f7f4ec')).toBe(true);
  expect(isFaintSign({ ...sign, outline: '#333333' }, '#f7f4ec')).toBe(false);
  expect(isFaintSign(sign, '#1a2422')).toBe(false);
  expect(isFaintSign({ ...sign, colour: '#0b877d', opacity: 0.05 }, '#f7f4ec')).toBe(true);
});
