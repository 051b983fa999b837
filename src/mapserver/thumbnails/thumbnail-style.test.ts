import { expect, test } from 'vitest';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import { compileStyle, type Scope } from '../render/compile-style.ts';
import { isShown } from '../render/draw.ts';
import { thumbnailStyle } from './thumbnail-style.ts';

const scope: Scope = { properties: {}, geometry: 'Point', zoom: 3 };

function sizesOf(radius: number, width: number, estimatedRows: number): readonly number[] {
  const style = compileStyle([
    { id: 'a', type: 'circle', paint: { 'circle-radius': radius } },
    { id: 'b', type: 'line', paint: { 'line-width': width } },
  ]);
  const layer = { kind: 'vector', estimatedRows } as VectorLayer;
  return thumbnailStyle({ layer, style }, 3).layers.map((one) =>
    one.type === 'circle' ? one.radius(scope) : one.type === 'line' ? one.width(scope) : 0,
  );
}

test.each([
  ['few small ones grow', 4, 2, 10, [6.8, 3.4]],
  ['not beyond what is large enough', 6, 3, 10, [7, 3.5]],
  ['large ones stay as they are', 20, 9, 10, [20, 9]],
  ['many are finer', 4, 2, 800, [3.4, 1.7]],
  ['very many are half as large', 4, 2, 1e6, [2, 1]],
  ['of a table that nobody has counted', 4, 2, 0, [6.8, 3.4]],
])('%s', (_, radius, width, rows, expected) => {
  expect(sizesOf(radius, width, rows).map((size) => Number(size.toFixed(3)))).toEqual(expected);
});

test('a look for nearer by is shown in the picture of the layer, and not in that of a map', () => {
  const style = compileStyle([{ id: 'a', type: 'circle', minzoom: 12, paint: {} }]);
  const layer = { kind: 'vector', estimatedRows: 1 } as VectorLayer;
  const shown = (zoom: number | undefined): boolean[] =>
    thumbnailStyle({ layer, style }, zoom).layers.map((one) => isShown(one, 3));
  expect([shown(3), shown(undefined)]).toEqual([[true], [false]]);
});
