import { expect, test } from 'vitest';
import { resolutionToZoom, scaleToZoom, zoomToScale } from './zoom-scale.ts';

test('zoom 0 is the world on 512 pixels, of 0.28 mm each', () => {
  expect(zoomToScale(0)).toBeCloseTo(279_541_132.01, 1);
  expect(zoomToScale(10)).toBeCloseTo(279_541_132.01 / 1024, 3);
  expect(scaleToZoom(zoomToScale(7.25))).toBeCloseTo(7.25, 12);
  expect(resolutionToZoom(40_075_016.685_578_49 / 512)).toBeCloseTo(0, 12);
  expect(resolutionToZoom(40_075_016.685_578_49 / 512 / 8)).toBeCloseTo(3, 12);
});
