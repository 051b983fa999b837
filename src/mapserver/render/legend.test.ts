import { expect, test } from 'vitest';
import { orNone } from '../../geo/style/no-value.ts';
import { sizeExpression } from '../../geo/style/proportional-size.ts';
import type { Json } from '../../geo/style/style-layer.ts';
import { drawLegend, legendEntries } from './legend.ts';

const circles = (colour: Json) => [
  {
    id: 'a',
    type: 'circle' as const,
    paint: {
      'circle-color': colour,
      'circle-radius': sizeExpression({ radius: 20, attribute: 'people', most: 800 }),
    },
  },
];
const told = (colour: Json) =>
  legendEntries(circles(colour)).map(({ title, attribute, layers }) => [
    title,
    attribute,
    layers[0]?.paint?.['circle-color'],
    layers[0]?.paint?.['circle-radius'],
  ]);

test('points as large as a number says are told by their sizes', () => {
  expect(told('#123456')).toEqual([
    ['800', 'people', '#123456', 9],
    ['200', 'people', '#123456', 4.5],
    ['50', 'people', '#123456', 2.25],
    ['No value', 'people', '#123456', 3],
  ]);
  expect(told(orNone('people', '#123456', '#b0b0b0')).slice(2)).toEqual([
    ['50', 'people', '#123456', 2.25],
    ['No value', 'people', '#b0b0b0', 3],
  ]);
});

test('features without a value are told of where there are some', async () => {
  const classes: Json = ['case', ['has', 'n'], ['step', ['get', 'n'], '#111111', 10, '#222222'], '#b0b0b0'];
  const style = [{ id: 'a', type: 'fill' as const, paint: { 'fill-color': classes } }];
  expect(legendEntries(style).map(({ title, missing }) => [title, missing])).toEqual([
    ['< 10', undefined],
    ['≥ 10', undefined],
    ['No value', 'n'],
  ]);
  const height = async (missing: readonly string[]) =>
    (await drawLegend(style, { width: 20, height: 20, background: undefined, missing: new Set(missing) })).height;
  expect((await height(['n'])) - (await height(['m']))).toBe(24);
});

test('where their colours have classes, sizes stand behind these', () => {
  expect(
    told(['step', ['get', 'n'], '#111111', 10, '#222222']).map(([, attribute, colour]) => [attribute, colour]),
  ).toEqual([
    ['n', '#111111'],
    ['n', '#222222'],
    ['people', '#888888'],
    ['people', '#888888'],
    ['people', '#888888'],
    ['people', '#888888'],
  ]);
});

test('the colours of heatmaps and rasters are as opaque as on the map', () => {
  const ramp: Json = ['interpolate', ['linear'], ['heatmap-density'], 0, 'rgba(0,0,0,0)', 0.5, '#111111', 1, '#222222'];
  const paint = { 'heatmap-color': ramp, 'heatmap-opacity': 0.5 };
  const heat = legendEntries([{ id: 'a', type: 'heatmap', paint }]);
  expect(heat.map(({ title, layers }) => [title, layers[0]?.paint?.['fill-opacity']])).toEqual([
    ['few', 0.5],
    ['many', 0.5],
  ]);
  const metadata = { 'survest:raster': { stops: [{ value: 7, color: '#123456' }] } };
  const raster = legendEntries([{ id: 'a', type: 'raster', paint: { 'raster-opacity': 0.25 }, metadata }]);
  expect(raster[0]?.layers[0]?.paint).toEqual({ 'fill-color': '#123456', 'fill-opacity': 0.25 });
});

test('each size is drawn', async () => {
  const canvas = await drawLegend(circles('#ff0000'), { width: 20, height: 20, background: '#ffffff' });
  const { data } = canvas.getContext('2d').getImageData(0, 0, 28, canvas.height);
  const reds: number[] = [];
  for (let y = 0; y < canvas.height; y++) {
    let n = 0;
    for (let x = 0; x < 28; x++) if ((data[(y * 28 + x) * 4 + 1] ?? 255) < 100) n++;
    reds.push(n);
  }
  const widths = [0, 1, 2].map((i) => Math.max(...reds.slice(22 + i * 24, 22 + (i + 1) * 24)));
  expect(widths).toEqual([18, 9, 4].map((width) => expect.closeTo(width, -0.5)));
});

test('a symbol that is nearly as light as the paper has a quiet outline, and no other has', async () => {
  const edgeOf = async (color: string, background?: string): Promise<readonly number[]> => {
    const style = [{ id: 'a', type: 'fill' as const, paint: { 'fill-color': color } }];
    const canvas = await drawLegend(style, { width: 20, height: 16, background });
    return [...canvas.getContext('2d').getImageData(4, 4, 1, 1).data];
  };
  expect(await edgeOf('#ffffcc')).toEqual([0x8d, 0x89, 0x79, 255]);
  expect(await edgeOf('#ffffcc', '#000000')).toEqual([0, 0, 0, 255]);
  expect(await edgeOf('#0b877d')).toEqual([0, 0, 0, 0]);
});
