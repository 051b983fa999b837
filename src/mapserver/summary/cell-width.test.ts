import { expect, test } from 'vitest';
import { cellMetres, scaleOfZoom, widthText, zoomOfScale } from './cell-width.ts';

test('a cell has four pixels: at zoom 0 the 128th part of the world, half of it with each zoom', () => {
  expect(cellMetres(0)).toBeCloseTo(40_075_016.686 / 128);
  expect(cellMetres(9.7)).toBe(cellMetres(9));
  expect(cellMetres(9)).toBeCloseTo(cellMetres(8) / 2);
  expect(cellMetres(9, 60)).toBeCloseTo(cellMetres(9) / 2);
});

test('a scale is that of a zoom, by the pixel of the standards', () => {
  expect(scaleOfZoom(0)).toBeCloseTo(279_541_132.01, 1);
  for (const zoom of [0, 3.5, 12]) expect(zoomOfScale(scaleOfZoom(zoom))).toBeCloseTo(zoom);
});

test('widths are said to two digits', () => {
  expect([611.5, 1223, 39_135].map((metres) => widthText(metres))).toEqual(['610 m', '1.2 km', '39 km']);
  expect(widthText(1223, 'de')).toBe('1,2 km');
});
