import { describe, expect, test } from 'vitest';
import type { RasterSummary } from '../api/raster.ts';
import { rasterLayers, rasterLegend, rasterStyleOf } from './raster-look.ts';

const HEIGHTS: RasterSummary = { drawn: 'grey', bands: [{ band: 1, min: 3, max: 990, stretch: [3, 990] }] };
const PHOTO: RasterSummary = {
  drawn: 'colours',
  bands: [1, 2, 3].map((band) => ({ band, min: 0, max: 250, stretch: [0, 255] as const })),
};

describe('the look of a raster', () => {
  test.each([
    { band: 1, ramp: undefined, low: 0, high: 1000 },
    { band: 2, ramp: 'heat', low: -5, high: 12.5 },
  ])('%o is written and read back', (style) => {
    const layers = rasterLayers(style);
    expect(rasterStyleOf(layers, PHOTO)).toEqual(style);
    // The database keeps members in another order.
    const kept = JSON.parse(JSON.stringify(layers), (_name, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    ) as typeof layers;
    expect(rasterStyleOf(kept, PHOTO)).toEqual(style);
  });

  test('one that says nothing is in grey between what there is, or none of ours', () => {
    expect(rasterStyleOf([{ id: 'r', type: 'raster' }], HEIGHTS)).toEqual({
      band: 1,
      ramp: undefined,
      low: 3,
      high: 990,
    });
    expect(rasterStyleOf([{ id: 'r', type: 'raster' }], PHOTO)).toBeUndefined();
  });

  test('a ramp of somebody else is left alone', () => {
    const metadata = { 'survest:raster': { stops: [{ value: 0, color: '#123456' }] } };
    expect(rasterStyleOf([{ id: 'r', type: 'raster', metadata }], HEIGHTS)).toBeUndefined();
    expect(rasterLegend([{ id: 'r', type: 'raster', metadata }], HEIGHTS)).toEqual([
      { label: '0', symbol: { shape: 'fill', colour: '#123456' } },
    ]);
  });

  test('a legend says what numbers are drawn as', () => {
    expect(rasterLegend([{ id: 'r', type: 'raster' }], HEIGHTS).map(({ label }) => label)).toEqual([
      '3',
      '496.5',
      '990',
    ]);
    expect(rasterLegend([{ id: 'r', type: 'raster' }], PHOTO).map(({ label }) => label)).toEqual([
      'band 1',
      'band 2',
      'band 3',
    ]);
    expect(
      rasterLegend(rasterLayers({ band: 1, ramp: 'blue', low: 0, high: 100 }), HEIGHTS).map(({ label }) => label),
    ).toEqual(['0', '25', '50', '75', '100']);
  });
});
