import { expect, test } from 'vitest';
import { snapped, snapTargets } from './snap.ts';

const targets = snapTargets([
  {
    of: 'a',
    geometry: {
      type: 'LineString',
      coordinates: [
        [0, 0],
        [100, 0],
      ],
    },
  },
  { of: 'b', geometry: { type: 'Point', coordinates: [50, 8] } },
  { of: 'c', geometry: null },
]);
const project = (x: number, y: number) => ({ x, y });

test('a vertex within reach is taken, before an edge that is nearer', () => {
  expect(snapped(targets, { x: 50, y: 3 }, project, 10, undefined)).toEqual([50, 8]);
  expect(snapped(targets, { x: 97, y: 4 }, project, 10, undefined)).toEqual([100, 0]);
});

test('else the nearest place on an edge', () => {
  expect(snapped(targets, { x: 50, y: 3 }, project, 4, undefined)).toEqual([50, 0]);
});

test('never what is being changed itself, and nothing that is out of reach', () => {
  expect(snapped(targets, { x: 50, y: 3 }, project, 4, 'a')).toBeUndefined();
  expect(snapped(targets, { x: 50, y: 40 }, project, 10, undefined)).toBeUndefined();
});
