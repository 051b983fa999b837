import { describe, expect, test } from 'vitest';
import { makeProject, WEB_MERCATOR, WGS84 } from '../../geo/projection.ts';
import type { RasterLook } from '../../geo/style/style-layer.ts';
import { makeView } from '../../geo/view.ts';
import type { OpenRaster } from './open-raster.ts';
import { rasterColors } from './raster-colors.ts';
import { makeMesh, meshRow, meshScale, meshWindow } from './warp.ts';

function raster(parts: Partial<OpenRaster>): OpenRaster {
  return {
    levels: [],
    affine: { a: 1, b: 0, x0: 0, d: 0, e: -1, y0: 0 },
    bands: 1,
    nodata: -9999,
    palette: undefined,
    isBytes: false,
    hasAlpha: false,
    range: async () => [0, 1000],
    ...parts,
  };
}

async function paint(parts: Partial<OpenRaster>, look: RasterLook, ...values: number[]): Promise<number[]> {
  const out = new Uint8ClampedArray(4);
  (await rasterColors(raster(parts), look)).paint(values, out, 0);
  return [...out];
}

describe('numbers become colours', () => {
  const stops = [
    { value: 0, color: '#000000' },
    { value: 100, color: '#ff0000' },
  ];

  test.each([
    ['in a ramp, what lies between', { kind: 'ramp', stops }, [50], [128, 0, 0, 255]],
    ['below the ramp, its first', { kind: 'ramp', stops }, [-5], [0, 0, 0, 255]],
    ['above the ramp, its last', { kind: 'ramp', stops }, [500], [255, 0, 0, 255]],
    ['in intervals, the class up to the number', { kind: 'intervals', stops }, [50], [255, 0, 0, 255]],
    ['above the last interval, none', { kind: 'intervals', stops }, [100], [0, 0, 0, 0]],
    ['by values, exactly those', { kind: 'values', stops }, [100], [255, 0, 0, 255]],
    ['by values, no others', { kind: 'values', stops }, [99], [0, 0, 0, 0]],
    ['what is nothing, nothing', { kind: 'ramp', stops }, [-9999], [0, 0, 0, 0]],
    ['what is no number, nothing', { kind: 'ramp', stops }, [Number.NaN], [0, 0, 0, 0]],
    ['without a ramp, grey by the range', {}, [500], [128, 128, 128, 255]],
    ['by a stretch', { stretch: [0, 510] }, [255], [128, 128, 128, 255]],
  ] as const)('%s', async (_, look, values, color) => {
    expect(await paint({}, look as RasterLook, ...values)).toEqual(color);
  });

  test('three bands of bytes as they are, with what the last one hides', async () => {
    expect(await paint({ bands: 3, isBytes: true, nodata: null }, {}, 1, 2, 3)).toEqual([1, 2, 3, 255]);
    expect(await paint({ bands: 4, isBytes: true, nodata: null, hasAlpha: true }, {}, 1, 2, 3, 0)).toEqual([
      1, 2, 3, 0,
    ]);
    expect((await rasterColors(raster({ bands: 4, isBytes: true }), { bands: [4, 3, 2] })).bands).toEqual([3, 2, 1]);
    expect((await rasterColors(raster({ bands: 1 }), { bands: [7] })).bands).toEqual([0]);
  });

  test('by a palette, and nothing for numbers it does not have', async () => {
    const palette = Uint8Array.of(1, 2, 3, 4, 5, 6);
    expect(await paint({ palette, isBytes: true }, {}, 1)).toEqual([4, 5, 6, 255]);
    expect(await paint({ palette, isBytes: true }, {}, 9)).toEqual([0, 0, 0, 0]);
  });
});

describe('where pixels lie', () => {
  const affine = { a: 0.1, b: 0, x0: 0, d: 0, e: -0.1, y0: 10 };

  test('in the same system, exactly', () => {
    const mesh = makeMesh(makeView(WGS84, [0, 0, 10, 10], 100, 100), makeProject(WGS84, WGS84), affine);
    const row = new Float64Array(200);
    meshRow(mesh, 50, row);
    expect(row[0]).toBeCloseTo(0.5, 6);
    expect(row[198]).toBeCloseTo(99.5, 6);
    expect(row[1]).toBeCloseTo(50.5, 6);
    expect(meshScale(mesh)).toBeCloseTo(1, 6);
    expect(meshWindow(mesh, 100, 100)).toEqual([0, 0, 100, 100]);
  });

  test('in another system, to a tenth of a pixel', () => {
    const view = makeView(WEB_MERCATOR, [0, 0, 1_113_195, 1_118_890], 100, 100);
    const project = makeProject(WEB_MERCATOR, WGS84);
    const mesh = makeMesh(view, project, affine);
    const row = new Float64Array(200);
    for (const y of [0, 17, 50, 99]) {
      meshRow(mesh, y, row);
      for (const x of [0, 31, 99]) {
        const [px = 0, py = 0] =
          project(((x + 0.5) * 1_113_195) / 100, 1_118_890 - ((y + 0.5) * 1_118_890) / 100) ?? [];
        expect(Math.abs((row[x * 2] ?? 0) - px / 0.1)).toBeLessThan(0.1);
        expect(Math.abs((row[x * 2 + 1] ?? 0) - (10 - py) / 0.1)).toBeLessThan(0.1);
      }
    }
  });

  test('beside the raster there is no window', () => {
    const mesh = makeMesh(makeView(WGS84, [50, 50, 60, 60], 10, 10), makeProject(WGS84, WGS84), affine);
    expect(meshWindow(mesh, 100, 100)).toBeUndefined();
    const nowhere = makeMesh(makeView(WGS84, [0, 0, 1, 1], 10, 10), () => undefined, affine);
    expect(meshWindow(nowhere, 100, 100)).toBeUndefined();
  });
});
