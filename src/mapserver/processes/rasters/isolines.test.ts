import { expect, test } from 'vitest';
import { type DrawnLine, makeIsolines, TooManyVertices } from './isolines.ts';

type Drawn = { readonly level: number; readonly line: DrawnLine };

function drawn(
  rows: readonly (readonly number[])[],
  { interval = 1, base = 0, maxVertices = 1e6 }: { interval?: number; base?: number; maxVertices?: number } = {},
): readonly Drawn[] {
  const found: Drawn[] = [];
  const isolines = makeIsolines({
    width: rows[0]?.length ?? 0,
    interval,
    base,
    maxVertices,
    onLine: (level, line) => found.push({ level, line }),
  });
  for (const row of rows) isolines.add(Float64Array.from(row));
  isolines.end();
  return found.toSorted((one, other) => one.level - other.level);
}

function grid(width: number, height: number, value: (column: number, row: number) => number): number[][] {
  return Array.from({ length: height }, (_, row) => Array.from({ length: width }, (_, column) => value(column, row)));
}

const positions = (line: DrawnLine): readonly (readonly [number, number])[] =>
  Array.from({ length: line.length / 2 }, (_, i) => [line[i * 2] ?? 0, line[i * 2 + 1] ?? 0] as const);
const isClosed = (line: DrawnLine): boolean => line[0] === line.at(-2) && line[1] === line.at(-1);

test('on a plane the lines are straight, one for each level, from edge to edge', () => {
  // Numbers 0, 10, 20 … at the centres of the columns.
  const found = drawn(
    grid(6, 4, (column) => column * 10),
    { interval: 20, base: 5 },
  );
  expect(found.map(({ level }) => level)).toEqual([5, 25, 45]);
  for (const [i, { line }] of found.entries()) {
    expect(new Set(positions(line).map(([x]) => x))).toEqual(new Set([1 + i * 2]));
    const rows = positions(line).map(([, y]) => y);
    expect(rows.toSorted((one, other) => one - other)).toEqual([0.5, 1.5, 2.5, 3.5]);
  }
});

test('around a hill they are closed, and lie where the level is', () => {
  const hill = (column: number, row: number): number => 18 - Math.hypot(column - 20, row - 20);
  const found = drawn(grid(41, 41, hill), { interval: 5 });
  expect(found.map(({ level }) => level)).toEqual([
    // In the corners the ground lies lower than at the edges.
    -10, -10, -10, -10, -5, -5, -5, -5, 0, 5, 10, 15,
  ]);
  for (const { level, line } of found.filter(({ level }) => level >= 0)) {
    expect(isClosed(line)).toBe(true);
    for (const [x, y] of positions(line)) expect(Math.hypot(x - 20.5, y - 20.5)).toBeCloseTo(18 - level, 0);
  }
});

test('a saddle is parted as its middle says, and no line crosses another', () => {
  const found = drawn(
    [
      [1, 0],
      [0, 1],
    ],
    { base: 0.6, interval: 10 },
  );
  expect(found.map(({ line }) => positions(line).length)).toEqual([2, 2]);
  // The middle is lower than the level, so that each corner has a line of its own.
  for (const { line } of found) {
    const [[x0, y0] = [0, 0], [x1, y1] = [0, 0]] = positions(line);
    expect(Math.abs(x0 - x1)).toBeCloseTo(0.4);
    expect(Math.abs(y0 - y1)).toBeCloseTo(0.4);
  }
});

test('where a corner is nothing, lines end', () => {
  const found = drawn(
    grid(5, 5, (column, row) => (row === 2 ? Number.NaN : column)),
    { base: 0.5, interval: 10 },
  );
  expect(
    found.map(({ line }) =>
      positions(line)
        .map(([, y]) => y)
        .toSorted(),
    ),
  ).toEqual([
    [0.5, 1.5],
    [3.5, 4.5],
  ]);
});

test('every end lies at the edge of the grid, whatever the numbers are', () => {
  let seed = 1;
  const random = (): number => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  // Numbers that are levels themselves, and flat ground, are among them.
  const rows = grid(40, 30, () => Math.floor(random() * 6));
  const found = drawn(rows, { interval: 1 });
  const isEdge = ([x, y]: readonly [number, number]): boolean => x === 0.5 || x === 39.5 || y === 0.5 || y === 29.5;
  for (const { line } of found) {
    const [first = [0, 0], last = [0, 0]] = [positions(line)[0], positions(line).at(-1)];
    expect(isClosed(line) || (isEdge(first) && isEdge(last))).toBe(true);
  }
  // Each edge between a number below a level and one that is not has one position of a line.
  const crossings = (level: number): number => {
    let count = 0;
    for (const [y, row] of rows.entries())
      for (const [x, value] of row.entries()) {
        const [right, lower] = [row[x + 1], rows[y + 1]?.[x]];
        if (right !== undefined && value >= level !== right >= level) count += 1;
        if (lower !== undefined && value >= level !== lower >= level) count += 1;
      }
    return count;
  };
  const smooth = drawn(
    rows.map((row) => row.map((value) => value + 0.5)),
    { interval: 1 },
  );
  for (const level of [1, 2, 3, 4, 5]) {
    const there = smooth.filter((one) => one.level === level);
    const count = there.reduce((sum, { line }) => sum + line.length / 2 - (isClosed(line) ? 1 : 0), 0);
    expect(count).toBe(crossings(level));
  }
});

test('levels are told in decimals, and more vertices than allowed end it', () => {
  const found = drawn(
    grid(8, 2, (column) => column / 10),
    { interval: 0.1, base: 0.05 },
  );
  expect(found.map(({ level }) => level)).toEqual([0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65]);
  const steep = grid(3, 3, (column) => column * 1e4);
  expect(() => drawn(steep, { interval: 1, maxVertices: 1000 })).toThrow(TooManyVertices);
  expect(() => drawn(steep, { interval: 1e-12 })).toThrow(TooManyVertices);
});

test('a row with more crossings than anybody can look at ends it, before lines are begun', () => {
  const drawing = (interval: number) => () =>
    drawn(
      grid(300, 2, (column, row) => column + row * 100),
      { interval },
    );
  expect(drawing(0.1)).toThrow(TooManyVertices);
  expect(drawing(1)).not.toThrow();
});
