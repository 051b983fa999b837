import { expect, test } from 'vitest';
import { cellAround, detailAt, detailText, type TileOverview } from './detail.ts';
import { makeText } from './i18n/text.ts';

const OVERVIEW: TileOverview = { maxzoom: 9, pixels: 4, count: '_count', state: 'ready' };
const FILL = [{ id: 'a', type: 'fill' }];
const t = makeText('en');

test('up to the last zoom of cells the note says how wide they are on the ground', () => {
  const at = (zoom: number, lat = 0): string => {
    const detail = detailAt(OVERVIEW, FILL, { zoom, lat });
    return detail === undefined ? '' : detailText(t, detail);
  };
  expect(at(3.99)).toContain('39 km');
  expect(at(9)).toContain('610 m');
  expect(at(9.9, 60)).toContain('310 m');
  expect(at(10)).toBe('');
});

test('where large features are a sample, and while nothing is prepared, the note says so', () => {
  const sampled = { ...OVERVIEW, sampled: [{ zoom: 2, shown: 12_300, of: 100_000 }] };
  const found = detailAt(sampled, FILL, { zoom: 2, lat: 0 });
  expect(found?.sample).toMatchObject({ shown: 12_300, of: 100_000 });
  expect(found && detailText(t, found)).toContain('12,300 of 100,000');
  expect(detailAt(sampled, FILL, { zoom: 3, lat: 0 })?.sample).toBeUndefined();
  expect(detailAt({ ...OVERVIEW, state: 'preparing' }, FILL, { zoom: 2, lat: 0 })?.isPreparing).toBe(true);
});

test('what says itself how many it stands for needs no note', () => {
  const heat = [{ id: 'a', type: 'heatmap' }];
  const hidden = [{ id: 'a', type: 'fill', minzoom: 5 }];
  const hexagons = [{ id: 'a', type: 'fill', metadata: { 'survest:group': { kind: 'hexagon', size: 32 } } }];
  for (const layers of [heat, hidden, hexagons, []])
    expect(detailAt(OVERVIEW, layers, { zoom: 3, lat: 0 }), JSON.stringify(layers)).toBeUndefined();
  expect(detailAt(undefined, FILL, { zoom: 3, lat: 0 })).toBeUndefined();
});

test('the cell around a place contains it, and is as wide as cells of the zoom are', () => {
  const [west, south, east, north] = cellAround(OVERVIEW, [7.1, 50.7], 4.7);
  expect(west).toBeLessThanOrEqual(7.1);
  expect(east).toBeGreaterThan(7.1);
  expect(south).toBeLessThanOrEqual(50.7);
  expect(north).toBeGreaterThan(50.7);
  expect(east - west).toBeCloseTo(360 / (128 * 16));
  // Deeper maps show the cells of the last zoom that has any.
  const [a, , b] = cellAround(OVERVIEW, [7.1, 50.7], 14);
  expect(b - a).toBeCloseTo(360 / (128 * 512));
});
