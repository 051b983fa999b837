// As on a machine that has no fonts, which all tests run as: see vitest.config.ts.

import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import type { StyleLayer } from '../../geo/style/style-layer.ts';
import { atOnce } from '../../kernel/in-slices.ts';
import { compileStyle } from './compile-style.ts';
import { drawFeatures } from './draw.ts';
import { drawLabels } from './label.ts';
import { drawLegend } from './legend.ts';

/** How many pixels of the picture are not empty. */
function ink(data: Uint8ClampedArray): number {
  let count = 0;
  for (let i = 3; i < data.length; i += 4) if ((data[i] ?? 0) > 0) count += 1;
  return count;
}

function labelled(text: string, font: string): number {
  const style: StyleLayer = {
    id: 'a',
    type: 'symbol',
    layout: { 'text-field': text, 'text-font': [font], 'text-size': 20 },
    paint: { 'text-color': '#000000' },
  };
  const context = createCanvas(300, 60).getContext('2d');
  const labels: Parameters<typeof drawLabels>[1][number][number][] = [];
  const feature = { id: '1', type: 'Point', parts: [Float64Array.of(150, 30)], properties: {} } as const;
  atOnce(drawFeatures({ context, zoom: 5, labels }, [feature], compileStyle([style])));
  atOnce(drawLabels(context, [labels], 300, 60));
  return ink(context.getImageData(0, 0, 300, 60).data);
}

test.each([
  ['Latin', 'Łódź an der Spree'],
  ['Greek', 'Θεσσαλονίκη'],
  ['Cyrillic', 'Київ і Москва'],
  ['Arabic', 'القاهرة'],
])('without a font of the machine, a label in %s letters is drawn with the font that comes along', (_, text) => {
  expect(labelled(text, 'Noto Sans Regular')).toBeGreaterThan(300);
  // Those of the glyphs are there as well when their tests ran before in the same process.
  const families = new Set(
    GlobalFonts.families.map(({ family }) => family).filter((family) => !family.startsWith('Survest Glyphs')),
  );
  expect([...families].sort()).toEqual(['DejaVu Sans', 'Survest Sans']);
});

test('bold and italic are faces of their own', () => {
  const regular = labelled('Hill', 'Open Sans Regular');
  expect(labelled('Hill', 'Open Sans Bold')).toBeGreaterThan(regular * 1.15);
  expect(labelled('Hill', 'Open Sans Italic')).not.toBe(regular);
});

test('a legend has its words without a font of the machine', async () => {
  const style = (title: string): StyleLayer => ({
    id: 'a',
    type: 'fill',
    paint: { 'fill-color': '#ff0000' },
    ...(title === '' ? {} : { metadata: { 'survest:title': title } }),
  });
  const options = { width: 20, height: 20, background: undefined };
  const [silent, said] = [await drawLegend([style('')], options), await drawLegend([style('Вода')], options)];
  expect(said.width).toBeGreaterThan(silent.width + 20);
  const pixels = said.getContext('2d').getImageData(silent.width, 0, said.width - silent.width, said.height).data;
  expect(ink(pixels)).toBeGreaterThan(50);
});
