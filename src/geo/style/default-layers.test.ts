import { expect, test } from 'vitest';
import { categoryLayers, defaultLayers, graduatedLayers } from './default-layers.ts';

test('a new layer has the colour that follows from its name, on the symbol of its kind', () => {
  expect(defaultLayers('line', 'roads')).toEqual([
    { id: 'line', type: 'line', paint: { 'line-color': '#ff7f00', 'line-width': 2 } },
  ]);
  expect(defaultLayers('polygon', 'Straßen')).toEqual([
    { id: 'fill', type: 'fill', paint: { 'fill-color': '#1f78b4', 'fill-opacity': 0.5 } },
    { id: 'outline', type: 'line', paint: { 'line-color': '#1f78b4', 'line-width': 1 } },
  ]);
  expect(defaultLayers('mixed', 'x').map(({ id, filter }) => [id, filter])).toEqual([
    ['fill', ['==', ['geometry-type'], 'Polygon']],
    ['outline', ['==', ['geometry-type'], 'Polygon']],
    ['line', ['==', ['geometry-type'], 'LineString']],
    ['circle', ['==', ['geometry-type'], 'Point']],
  ]);
});

const colorOf = ([layer]: readonly { readonly paint?: object }[]): unknown =>
  (layer?.paint as Record<string, unknown> | undefined)?.['circle-color'];

test('each value has a colour of its own, few of them and many', () => {
  expect(colorOf(categoryLayers('point', 'kind', ['a', 'b']))).toEqual([
    'case',
    ['has', 'kind'],
    ['match', ['get', 'kind'], 'a', '#1f78b4', 'b', '#33a02c', '#808080'],
    '#b0b0b0',
  ]);
  expect(colorOf(categoryLayers('point', 'kind', []))).toBe('#808080');
  const [, , many = []] = colorOf(
    categoryLayers(
      'point',
      'kind',
      Array.from({ length: 40 }, (_, i) => i),
    ),
  ) as unknown[][];
  const colors = many.filter((one) => typeof one === 'string' && one.startsWith('#'));
  expect(new Set(colors).size).toBe(41);
});

test('classes go through the ramp from end to end; what has no number has none', () => {
  expect(colorOf(graduatedLayers('point', 'n', [10, 20, 30]))).toEqual([
    'case',
    ['has', 'n'],
    ['step', ['to-number', ['get', 'n']], '#eff3ff', 10, '#9ecae1', 20, '#3182bd', 30, '#08306b'],
    '#b0b0b0',
  ]);
  // In between, colours are mixed; one class alone has the colour in the middle.
  expect(colorOf(graduatedLayers('point', 'n', [10, 20]))).toMatchObject({ 2: { 4: '#68a6cf' } });
  expect(colorOf(graduatedLayers('point', 'n', []))).toBe('#68a6cf');
});
