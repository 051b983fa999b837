import { expect, test } from 'vitest';
import { type Box, fromMercator, insideWorld, meeting, toMercator, turnsOf } from './bbox.ts';

// A layer of 10 by 20 degrees; what is looked at is a twentieth of the longer side larger: one degree.
const EXTENT: Box = [10, 20, 20, 40];

test.each<[string, Box, Box | 'everything' | undefined]>([
  ['to the west', [0, 20, 8.9, 40], undefined],
  ['to the east', [21.1, 20, 30, 40], undefined],
  ['to the south', [10, 0, 20, 18.9], undefined],
  ['to the north', [10, 41.1, 20, 50], undefined],
  ['touching in the west', [0, 0, 9.1, 90], [9, 19, 9.1, 41]],
  ['touching in the east', [20.9, 0, 90, 90], [20.9, 19, 21, 41]],
  ['touching in the south', [0, 0, 90, 19.1], [9, 19, 21, 19.1]],
  ['touching in the north', [0, 40.9, 90, 90], [9, 40.9, 21, 41]],
  ['inside', [12, 25, 13, 26], [12, 25, 13, 26]],
  ['all around', [8.9, 18.9, 21.1, 41.1], 'everything'],
  ['all but the west', [9.1, 18.9, 21.1, 41.1], [9.1, 19, 21, 41]],
  ['all but the south', [8.9, 19.1, 21.1, 41.1], [9, 19.1, 21, 41]],
  ['all but the east', [8.9, 18.9, 20.9, 41.1], [9, 19, 20.9, 41]],
  ['all but the north', [8.9, 18.9, 21.1, 40.9], [9, 19, 21, 40.9]],
])('of a layer, a box %s shows its part', (_where, box, part) => {
  const found = meeting(box, EXTENT);
  if (typeof part !== 'object') expect(found).toBe(part);
  else expect(found).toEqual(part.map((edge) => expect.closeTo(edge, 4)));
});

test('where a layer is, is not known: all of it may be there', () => {
  expect(meeting([0, 0, 1, 1], undefined)).toBe('everything');
});

test('a layer of one point is found at its place, and nowhere else', () => {
  expect(meeting([4, 4, 6, 6], [5, 5, 5, 5])).toBe('everything');
  expect(meeting([5, 5, 5, 5], [5, 5, 5, 5])).toEqual([5, 5, 5, 5]);
  expect(meeting([5.001, 5, 6, 6], [5, 5, 5, 5])).toBeUndefined();
});

test('degrees become metres of web maps and back, up to where these end', () => {
  const half = 20_037_508.342_789_244;
  expect(toMercator([-180, 0, 180, 45])).toEqual(
    [-half, 0, half, 5_621_521.486_192_066].map((edge) => expect.closeTo(edge, 3)),
  );
  expect(toMercator([0, -90, 0, 90])).toEqual(toMercator([0, -85.06, 0, 85.06]));
  expect(fromMercator(toMercator([-12.5, -60, 99, 85]))).toEqual(
    [-12.5, -60, 99, 85].map((edge) => expect.closeTo(edge, 9)),
  );
});

test.each<[string, [number, number], readonly (readonly [number, number])[]]>([
  [
    'in the west',
    [-100, -90],
    [
      [-100, -90],
      [260, 270],
    ],
  ],
  [
    'in the east',
    [20, 30],
    [
      [20, 30],
      [-340, -330],
    ],
  ],
  [
    'around the zero meridian',
    [-10, 10],
    [
      [-10, 10],
      [-370, -350],
      [350, 370],
    ],
  ],
  [
    'from east to west',
    [170, -170],
    [
      [170, 190],
      [-190, -170],
    ],
  ],
  [
    'beyond 180',
    [170, 190],
    [
      [170, 190],
      [-190, -170],
    ],
  ],
  [
    'beyond -180',
    [-190, -170],
    [
      [170, 190],
      [-190, -170],
    ],
  ],
  [
    'two turns away',
    [530, 550],
    [
      [170, 190],
      [-190, -170],
    ],
  ],
  [
    'nearly all around, from east to west',
    [179, 170],
    [
      [179, 530],
      [-541, -190],
      [-181, 170],
    ],
  ],
  ['all around', [-180, 180], [[-360, 360]]],
  [
    'on the line',
    [180, -180],
    [
      [180, 180],
      [-180, -180],
    ],
  ],
])('a box %s is looked for in every turn of the globe that longitudes run through', (_where, [west, east], turns) => {
  expect(turnsOf([west, 1, east, 2])).toEqual(turns.map(([from, to]) => [from, 1, to, 2]));
});

test.each<[Box, Box]>([
  [
    [5, 45, 15, 55],
    [5, 45, 15, 55],
  ],
  [
    [182, -45, 184, -43],
    [-178, -45, -176, -43],
  ],
  [
    [-190, -20, -185, -15],
    [170, -20, 175, -15],
  ],
  [
    [166, -47, 184, -34],
    [-180, -47, 180, -34],
  ],
  [
    [0, -90, 360, 90],
    [-180, -90, 180, 90],
  ],
])('%j is %j inside the world', (box, inside) => {
  expect(insideWorld(box)).toEqual(inside);
});
