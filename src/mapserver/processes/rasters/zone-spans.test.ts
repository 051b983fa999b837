import { expect, test } from 'vitest';
import { type PixelRing, type Span, zoneSpans } from './zone-spans.ts';

const box = (x0: number, y0: number, x1: number, y1: number): PixelRing => [
  [x0, y0],
  [x1, y0],
  [x1, y1],
  [x0, y1],
  [x0, y0],
];
const pixels = (rows: readonly (readonly Span[])[]): number =>
  rows.flat().reduce((sum, [from, to]) => sum + to - from, 0);

test.each([
  ['whole pixels', [box(1, 1, 4, 3)], [[], [[1, 4]], [[1, 4]], []]],
  ['pixels whose centre is inside', [box(0.6, 0.4, 2.4, 1.6)], [[[1, 2]], [[1, 2]], [], []]],
  [
    'a hole',
    [box(0, 0, 4, 4), box(1, 1, 3, 2)],
    [
      [[0, 4]],
      [
        [0, 1],
        [3, 4],
      ],
      [[0, 4]],
      [[0, 4]],
    ],
  ],
  ['what lies outside of the grid', [box(-5, -5, 50, 1)], [[[0, 4]], [], [], []]],
  ['too small for a centre', [box(0.6, 0.6, 0.9, 0.9)], [[], [], [], []]],
] as const)('%s', (_, rings, expected) => {
  expect(zoneSpans(rings as unknown as readonly PixelRing[], 0, 4, 4)).toEqual(expected);
});

test('areas that share edges share no pixels, and lose none', () => {
  // Edges run through centres of pixels, upright, level and across.
  const triangles: readonly PixelRing[] = [
    [
      [0.5, 0.5],
      [8.5, 0.5],
      [8.5, 8.5],
      [0.5, 0.5],
    ],
    [
      [0.5, 0.5],
      [8.5, 8.5],
      [0.5, 8.5],
      [0.5, 0.5],
    ],
  ];
  const [one = 0, other = 0] = triangles.map((ring) => pixels(zoneSpans([ring], 0, 10, 10)));
  expect(one + other).toBe(64);
  expect(pixels(zoneSpans([box(0.5, 0.5, 8.5, 8.5)], 0, 10, 10))).toBe(64);
});

test('parts of the rows are those of all', () => {
  const ring: PixelRing = Array.from({ length: 65 }, (_, i) => [
    50 + 40 * Math.cos((i * Math.PI) / 32),
    50 + 40 * Math.sin((i * Math.PI) / 32),
  ]);
  const whole = zoneSpans([ring], 0, 100, 100);
  expect([...zoneSpans([ring], 0, 37, 100), ...zoneSpans([ring], 37, 100, 100)]).toEqual(whole);
  expect(Math.abs(pixels(whole) - Math.PI * 1600)).toBeLessThan(20);
});
