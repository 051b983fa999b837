import { describe, expect, test } from 'vitest';
import { parseTileAddress, tileBounds, tileDegrees } from './tile.ts';

describe('addresses of tiles', () => {
  test.each([
    ['0', '0', '0', { z: 0, x: 0, y: 0 }],
    ['24', '16777215', '0', { z: 24, x: 16777215, y: 0 }],
  ])('%s/%s/%s is one', (z, x, y, value) => {
    expect(parseTileAddress(z, x, y)).toEqual({ ok: true, value });
  });

  test.each([
    ['30', '0', '0'],
    ['1', '2', '0'],
    ['1', '0', '2'],
    ['-1', '0', '0'],
    ['1e1', '0', '0'],
    ['NaN', '0', '0'],
    ['', '0', '0'],
    ['0', ' 0', '0'],
    ['0x1', '0', '0'],
    ['1.5', '0', '0'],
    ['99999999999999999999', '0', '0'],
  ])('%s/%s/%s is none', (z, x, y) => {
    expect(parseTileAddress(z, x, y)).toMatchObject({ ok: false, error: { kind: 'bad-tile' } });
  });
});

test('the world is one tile at zoom 0, and four at zoom 1', () => {
  expect(tileBounds({ z: 0, x: 0, y: 0 })).toEqual([
    -20037508.342789244, -20037508.342789244, 20037508.342789244, 20037508.342789244,
  ]);
  expect(tileBounds({ z: 1, x: 1, y: 0 })).toEqual([0, 0, 20037508.342789244, 20037508.342789244]);
  const [west, south, east, north] = tileDegrees({ z: 0, x: 0, y: 0 });
  expect([west, east]).toEqual([-180, 180]);
  expect(south).toBeCloseTo(-85.0511287798);
  expect(north).toBeCloseTo(85.0511287798);
});
