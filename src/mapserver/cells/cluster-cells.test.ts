import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Cell } from './cell.ts';
import { type Cluster, clusterCells, clusterMargin } from './cluster-cells.ts';

type Point = readonly [x: number, y: number];

/** The cells of points in pixels of the world, as a tile and its margin have them. */
function cellsOf(points: readonly Point[], x: number, y: number, margin: number): readonly Cell[] {
  const cells = new Map<string, { x: number; y: number; n: number; px: number; py: number }>();
  for (const [left, top] of points) {
    const [u, v] = [left / 4 - x * 128, top / 4 - y * 128];
    if (u < -margin || v < -margin || u >= 128 + margin || v >= 128 + margin) continue;
    const [cx, cy] = [Math.floor(u), Math.floor(v)];
    const known = cells.get(`${cx} ${cy}`) ?? { x: cx, y: cy, n: 0, px: 0, py: 0 };
    cells.set(`${cx} ${cy}`, { ...known, n: known.n + 1, px: known.px + (u - cx), py: known.py + (v - cy) });
  }
  return [...cells.values()].map(({ n, px, py, ...at }) => ({
    ...at,
    n,
    px: px / n,
    py: py / n,
    area: 0,
    key: n === 1 ? `${at.x + x * 128} ${at.y + y * 128}` : undefined,
    hash: 0,
    categories: [],
    sums: [],
    counts: [],
  }));
}

/** In pixels of a world of some tiles, each made by itself. */
function clustersOf(points: readonly Point[], size: number, tiles: number): readonly Cluster[] {
  const margin = clusterMargin(size);
  return Array.from({ length: tiles * tiles }, (_, i) => [i % tiles, Math.floor(i / tiles)] as const).flatMap(
    ([x, y]) =>
      clusterCells(cellsOf(points, x, y, margin), size, { z: 4, x, y }).map(({ middle, ...cluster }) => ({
        ...cluster,
        middle: [middle[0] + x * 512, middle[1] + y * 512] as const,
      })),
  );
}

/** The least distance of two of them. */
function leastBetween(clusters: readonly Cluster[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const [i, { middle: one }] of clusters.entries())
    for (const { middle: other } of clusters.slice(i + 1))
      least = Math.min(least, Math.hypot(one[0] - other[0], one[1] - other[1]));
  return least;
}

const towns = fc.array(
  fc.record({
    x: fc.integer({ min: 0, max: 1535 }),
    y: fc.integer({ min: 0, max: 1535 }),
    n: fc.integer({ min: 1, max: 60 }),
  }),
  { minLength: 1, maxLength: 120 },
);
const pointsOf = (list: readonly { readonly x: number; readonly y: number; readonly n: number }[]): readonly Point[] =>
  list.flatMap(({ x, y, n }) =>
    Array.from(
      { length: n },
      (_, i): Point => [
        Math.min(1535.9, Math.max(0, x + Math.sqrt(i) * 6 * Math.cos(2.4 * i))),
        Math.min(1535.9, Math.max(0, y + Math.sqrt(i) * 6 * Math.sin(2.4 * i))),
      ],
    ),
  );

test.each([32, 64, 128])(
  'every point is counted once, whatever tile it is in, and circles of %i keep their distance',
  (size) => {
    fc.assert(
      fc.property(towns, (list) => {
        const points = pointsOf(list);
        const clusters = clustersOf(points, size, 3);
        expect(clusters.reduce((sum, { n }) => sum + n, 0)).toBe(points.length);
        expect(leastBetween(clusters)).toBeGreaterThanOrEqual((size * 2) / 3);
      }),
      { numRuns: 40 },
    );
  },
);

test('where points lie everywhere alike, circles stand in no grid', () => {
  const points = Array.from({ length: 60_000 }, (_, i): Point => [(i * 0.618_034 * 1024) % 1024, (i * 1024) / 60_000]);
  const clusters = clustersOf(points, 64, 2);
  expect(clusters.length).toBeGreaterThan(200);
  const inEighth = Array.from(
    { length: 8 },
    (_, part) => clusters.filter(({ middle: [x] }) => Math.floor((x % 64) / 8) === part).length,
  );
  for (const n of inEighth) expect(n / clusters.length).toBeGreaterThan(0.05);
});

test('a circle stands where most of its points are, and one alone where it is, with its key', () => {
  const points: Point[] = [[20, 20], [400, 400], ...Array.from({ length: 50 }, (): Point => [412, 409])];
  expect(clustersOf(points, 64, 1)).toEqual([
    { middle: [20, 20], n: 1, key: '5 5' },
    { middle: [412, 409], n: 51, key: undefined },
  ]);
});
