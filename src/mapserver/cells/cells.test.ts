import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addCells, type Cell, coarserCells, meanOf, TILE_CELLS, uniteCells } from './cell.ts';
import { decodeCells, encodeCells } from './cell-codec.ts';
import { decideDetail } from './detail.ts';
import { makeTileCounts, NO_LEVEL } from './tile-counts.ts';

const cell = (part: Partial<Cell> = {}): Cell => ({
  x: 0,
  y: 0,
  n: 1,
  px: 0.5,
  py: 0.5,
  area: 0,
  key: undefined,
  hash: 0,
  categories: [],
  sums: [],
  counts: [],
  ...part,
});

describe('cells', () => {
  test('two of one place are one: counts and sums are added, the middle is that of all features', () => {
    const one = cell({ n: 3, px: 0, area: 0.5, sums: [6], counts: [2] });
    const other = cell({ n: 1, px: 1, area: 0.25, sums: [4], counts: [1] });
    const both = addCells(one, other);
    expect(both).toMatchObject({ n: 4, px: 0.25, area: 0.75, sums: [10], counts: [3] });
    expect(meanOf(both, 0)).toBeCloseTo(10 / 3);
    expect(meanOf(cell({ sums: [0], counts: [0] }), 0)).toBeUndefined();
  });

  test('the category of the smaller hash is taken, whichever comes first', () => {
    const [a, b] = [cell({ hash: 7, categories: ['a'] }), cell({ hash: 3, categories: ['b'] })];
    expect(addCells(a, b).categories).toEqual(['b']);
    expect(addCells(b, a).categories).toEqual(['b']);
  });

  test('a quarter of a tile has a quarter of the cells, in its place', () => {
    const coarse = coarserCells(
      [cell({ x: 127, y: 2, px: 0.5, py: 0, area: 1 }), cell({ x: 126, y: 3, px: 0.5, py: 0 })],
      0,
      1,
    );
    expect(coarse).toEqual([cell({ x: 63, y: 65, n: 2, px: 0.5, py: 0.25, area: 0.25, key: undefined })]);
  });

  test('put together in any order, as many features are counted', () => {
    const some = fc.array(
      fc
        .record({ x: fc.nat(3), y: fc.nat(3), n: fc.integer({ min: 1, max: 9 }), hash: fc.nat(1000) })
        .map((one) => cell(one)),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(some, some, (a, b) => {
        const total = (list: readonly Cell[]): number => list.reduce((sum, { n }) => sum + n, 0);
        expect(total(uniteCells([a, b]))).toBe(total(a) + total(b));
        expect(total(coarserCells(uniteCells([b, a]), 1, 0))).toBe(total(a) + total(b));
      }),
    );
  });
});

test('cells are the same after they were stored, but for what nobody sees', () => {
  const place = fc.uniqueArray(fc.nat(TILE_CELLS * TILE_CELLS - 1), { maxLength: 40 });
  const one = (at: number): fc.Arbitrary<Cell> =>
    fc
      .record({
        n: fc.integer({ min: 1, max: 1e9 }),
        px: fc.float({ min: 0, max: 1, noNaN: true }),
        py: fc.float({ min: 0, max: 1, noNaN: true }),
        area: fc.float({ min: 0, max: 100, noNaN: true }),
        key: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
        hash: fc.nat(0xffff_ffff),
        categories: fc.tuple(fc.option(fc.string()), fc.option(fc.constantFrom('a', 'b'))),
        counts: fc.tuple(fc.constantFrom(1, 2, 4)),
        sums: fc.tuple(fc.float({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })),
      })
      .map((rest) => ({ ...rest, x: at % TILE_CELLS, y: Math.floor(at / TILE_CELLS) }));
  const tile = place.chain((places) => fc.tuple(...places.sort((a, b) => a - b).map(one)));
  const columns = { numbers: ['v'], categories: ['a', 'b'] };
  fc.assert(
    fc.property(tile, (cells) => {
      const read = decodeCells(encodeCells(columns, cells));
      expect(read.map(({ px, py, area, sums, ...rest }) => rest)).toEqual(
        cells.map(({ px, py, area, sums, ...rest }) => rest),
      );
      for (const [i, found] of read.entries()) {
        expect(found.px).toBeCloseTo(cells[i]?.px ?? 0, 2);
        expect(found.area).toBe(cells[i]?.area);
        expect(found.sums[0]).toBeCloseTo(cells[i]?.sums[0] ?? 0, -3);
      }
    }),
  );
});

describe('detail', () => {
  test('the densest tile decides for the whole zoom', () => {
    const counts = makeTileCounts();
    // 4000 points in each quarter of the world, and a town of 20,000 in one tile of zoom 10.
    for (const [x, y] of [
      [0, 0],
      [40_000, 0],
      [0, 40_000],
      [40_000, 40_000],
    ] as const)
      counts.add(x, y, NO_LEVEL, 4000);
    for (let i = 0; i < 64; i++) counts.add(64 * 3 + i, 64 * 5 + i, NO_LEVEL, 20_000 / 64);
    expect(counts.at({ z: 0, x: 0, y: 0 })).toBe(36_000);
    expect(counts.at({ z: 10, x: 3, y: 5 })).toBe(20_000);
    expect(counts.densest(11)).toEqual({ all: 10_000, large: 0 });
    const ones = Array.from({ length: 11 }, () => 1);
    expect(decideDetail(counts, { bare: 30, full: 30 })).toMatchObject({ summaryTo: 10, shares: ones, bareTo: 10 });
    expect(decideDetail(counts, { bare: 30, full: 60 })).toMatchObject({ summaryTo: 10, shares: ones, bareTo: 11 });
  });

  test('of features that fill a cell a share is drawn where they are too many', () => {
    const counts = makeTileCounts();
    counts.add(5, 5, 2, 40_000);
    counts.add(5, 5, 9, 100);
    const { shares, large, summaryTo } = decideDetail(counts, { bare: 45, full: 45 });
    expect(summaryTo).toBe(16);
    expect([large[1], large[2], large[9]]).toEqual([0, 40_000, 40_100]);
    expect(shares.slice(0, 3)).toEqual([1, 1, 0.25]);
    expect(shares[9]).toBeCloseTo(10_000 / 40_100);
  });
});
