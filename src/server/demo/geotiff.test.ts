import { fromArrayBuffer } from 'geotiff';
import { expect, test } from 'vitest';
import { distanceGrid } from './demo-data.ts';
import { writeGeoTiff } from './geotiff.ts';

test('what is written is read again: size, place, coordinate system and values', async () => {
  const values = Uint16Array.from({ length: 12 }, (_, i) => i * 1000);
  const bytes = writeGeoTiff({ width: 4, height: 3, west: -10, north: 20, cell: 2.5, values });
  const tiff = await fromArrayBuffer(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
  );
  const image = await tiff.getImage();
  expect([image.getWidth(), image.getHeight()]).toEqual([4, 3]);
  expect(image.getBoundingBox()).toEqual([-10, 12.5, 0, 20]);
  expect(image.getGeoKeys()).toMatchObject({ GeographicTypeGeoKey: 4326 });
  const [band] = (await image.readRasters()) as unknown as readonly [ArrayLike<number>];
  expect(Array.from(band)).toEqual(Array.from(values));
});

test('a city is at no distance from itself, and no place is farther from one than half the globe', () => {
  const { values, width } = distanceGrid([{ name: 'X', country: 'Y', lng: 0.25, lat: 0.25, millions: 1 }]);
  expect(values[179 * width + 360]).toBe(0);
  const farthest = values.reduce((most, value) => Math.max(most, value), 0);
  expect(farthest).toBeLessThanOrEqual(20_016);
  expect(farthest).toBeGreaterThan(19_900);
});
