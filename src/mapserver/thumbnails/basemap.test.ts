import { createCanvas } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { type Box, makeProject, WEB_MERCATOR, WGS84 } from '../../geo/projection.ts';
import { atOnce } from '../../kernel/in-slices.ts';
import { drawBasemap, loadBasemap } from './basemap.ts';
import { HEIGHT, viewOfExtent, WIDTH } from './thumbnail-view.ts';

const toMercator = makeProject(WGS84, WEB_MERCATOR);
const [LAND, WATER, PAPER] = ['#f3efe6', '#cfe0ea', '#f1f0ec'];

test.each<[string, Box, readonly [number, number], string]>([
  ['the world, the Sahara', [-180, -80, 180, 80], [3, 28], LAND],
  ['the world, the Pacific', [-180, -80, 180, 80], [-140, 0], WATER],
  ['the ice at the pole', [-180, -90, 180, -60], [100, -74], LAND],
  ['a continent, land', [-10, 35, 30, 60], [10, 50], LAND],
  ['a continent, sea', [-10, 35, 30, 60], [4, 41], WATER],
  ['a region, land', [6, 45.8, 10.5, 47.8], [8, 46.5], LAND],
  ['a region, sea', [12, 44, 14, 46], [13.2, 44.5], WATER],
  ['an island at the edge of the map', [177, -19, 181, -16], [178, -17.8], LAND],
  ['land beyond the edge of the map', [170, 62, 195, 70], [185, 66.5], LAND],
  ['the same from the other side', [-190, 62, -165, 70], [-185, 68.5], LAND],
  ['a town', [8.5, 47.3, 8.52, 47.32], [8.51, 47.31], PAPER],
])('%s', async (_, extent, [longitude, latitude], color) => {
  const view = viewOfExtent(extent);
  const canvas = createCanvas(WIDTH, HEIGHT);
  const context = canvas.getContext('2d');
  atOnce(drawBasemap(context, await loadBasemap(view.zoom), view));
  const [x, y] = toMercator(longitude, latitude) ?? [0, 0];
  const [xmin, ymin, xmax, ymax] = view.box;
  const pixel = context.getImageData(
    Math.round(((x - xmin) / (xmax - xmin)) * WIDTH),
    Math.round(((ymax - y) / (ymax - ymin)) * HEIGHT),
    1,
    1,
  ).data;
  expect(`#${Buffer.from(pixel).toString('hex').slice(0, 6)}`).toBe(color);
});
