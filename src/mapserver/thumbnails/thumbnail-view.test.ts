import { expect, test } from 'vitest';
import { type Box, makeProject, WEB_MERCATOR, WGS84 } from '../../geo/projection.ts';
import { HEIGHT, viewOfExtent, viewOfMap, WIDTH } from './thumbnail-view.ts';

const toMercator = makeProject(WGS84, WEB_MERCATOR);

test.each<[string, Box]>([
  ['two points', [8, 47, 9, 48]],
  ['a line from north to south', [8, 40, 8.0001, 50]],
  ['a line from west to east', [0, 47, 30, 47.0001]],
  ['a town', [8.5, 47.3, 8.6, 47.4]],
  ['a country beyond the equator', [110, -44, 154, -10]],
])('the extent of %s lies within the part that lists show', (_, extent) => {
  const { box } = viewOfExtent(extent);
  for (const [x, y] of [extent.slice(0, 2), extent.slice(2)]) {
    const [mx, my] = toMercator(x ?? 0, y ?? 0) ?? [0, 0];
    const i = ((mx - box[0]) / (box[2] - box[0])) * WIDTH;
    const j = ((box[3] - my) / (box[3] - box[1])) * HEIGHT;
    expect(Math.min(i, WIDTH - i)).toBeGreaterThan(25);
    expect(Math.min(j - 25, HEIGHT - 25 - j)).toBeGreaterThan(25);
  }
});

test('the whole world is as wide as the picture, and no wider', () => {
  for (const extent of [undefined, [-180, -90, 180, 90] as const, [-540, -90, 540, 90] as const]) {
    const { box } = viewOfExtent(extent);
    expect(box[2] - box[0]).toBeCloseTo(40_075_016.68, 1);
    expect(box[3]).toBeLessThanOrEqual(20_037_508.35);
  }
});

test('one place is shown with what lies around it', () => {
  const { box } = viewOfExtent([8, 47, 8, 47]);
  expect(box[2] - box[0]).toBeGreaterThan(700_000);
});

test.each([
  [[8, 47], 5],
  [[890_556, 5_942_074], 5],
] as const)('a map without an extent is shown where it opens: %j', (center, zoom) => {
  const { box } = viewOfMap({ kind: 'map', id: 1, extent: undefined, center, zoom, layers: [] });
  expect((box[0] + box[2]) / 2).toBeCloseTo(890_556, -1);
  expect(box[2] - box[0]).toBeCloseTo((40_075_016.68 / 256 / 32) * 1000, -2);
});
