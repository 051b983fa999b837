import type { Geometry } from 'geojson';
import { expect, test } from 'vitest';
import { coordinateText, type DrawKind, parseCoordinates } from './coordinate-text.ts';

const ring = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 0],
];
const hole = [
  [2, 1],
  [3, 1],
  [3, 2],
  [2, 1],
];

test.each<readonly [DrawKind, Geometry]>([
  ['point', { type: 'Point', coordinates: [7.5, 50, 12] }],
  [
    'point',
    {
      type: 'MultiPoint',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
  ],
  [
    'line',
    {
      type: 'LineString',
      coordinates: [
        [0, 0],
        [1, 1.5],
      ],
    },
  ],
  [
    'line',
    {
      type: 'MultiLineString',
      coordinates: [
        [
          [0, 0],
          [1, 1],
        ],
        [
          [2, 2],
          [3, 3],
        ],
      ],
    },
  ],
  ['polygon', { type: 'Polygon', coordinates: [ring, hole] }],
  ['polygon', { type: 'MultiPolygon', coordinates: [[ring, hole], [ring]] }],
])('%s: $type is written and read again', (kind, geometry) => {
  expect(parseCoordinates(coordinateText(geometry), kind, true)).toEqual({ ok: true, value: geometry });
});

test.each([
  ['', 'point', 'empty'],
  ['here', 'point', 'not-a-position'],
  ['1, 2, 3, 4', 'point', 'not-a-position'],
  ['200 0', 'point', 'off-earth'],
  ['1 1', 'line', 'too-few'],
  ['0 0\n1 1\n0 0', 'polygon', undefined],
  ['1 1\n2 2', 'polygon', 'too-few'],
  ['1 1\n\n2 2', 'point', 'several-parts'],
] as const)('%j is no %s', (text, kind, fault) => {
  const parsed = parseCoordinates(text, kind, false);
  expect(parsed.ok ? undefined : parsed.error.kind).toBe(fault);
});

test('a mistake is told with its line', () => {
  const lineOf = (text: string): unknown => {
    const parsed = parseCoordinates(text, 'line', true);
    return parsed.ok ? undefined : parsed.error;
  };
  expect(lineOf('1 1\n2 2\n\n3 3')).toEqual({ kind: 'too-few', line: 4, least: 2 });
  expect(lineOf('1 1\nx')).toEqual({ kind: 'not-a-position', line: 2 });
  expect(lineOf('1 1\n2 91')).toEqual({ kind: 'off-earth', line: 2 });
});
