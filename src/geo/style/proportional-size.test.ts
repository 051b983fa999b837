import { expect, test } from 'vitest';
import { legendSizes, readSize, sizeExpression } from './proportional-size.ts';

const size = { radius: 14, attribute: 'height', most: 60 };

test('a size by a number is read back as it was', () => {
  expect(readSize(sizeExpression(size))).toEqual(size);
  expect(readSize(sizeExpression(size, true))).toEqual(size);
});

test.each([
  [5],
  [['*', 14, ['get', 'height']]],
  [['*', 14, ['sqrt', ['/', ['get', 'height'], 60]]]],
  [['+', 14, 2]],
  [null],
])('%j is no size by a number', (value) => {
  expect(readSize(value)).toBeUndefined();
});

test('a point without the number is small, whatever it has', () => {
  expect(sizeExpression(size)).toEqual(['case', ['has', 'height'], sizeExpression(size, true), 3]);
  expect(sizeExpression({ ...size, radius: 2 })).toMatchObject({ 3: 2 });
});

test('a legend shows round numbers, each as large as it is on the map', () => {
  expect(legendSizes(size)).toEqual([
    { value: 60, share: 1 },
    { value: 15, share: 0.5 },
    { value: 3.8, share: Math.sqrt(3.8 / 60) },
  ]);
  expect(legendSizes({ ...size, most: 0 })).toEqual([]);
});
