// A cell: the aggregate of all features whose middle lies in a square of four pixels at a zoom. Where a layer has more features than a picture
// can tell apart, cells are drawn instead of them: by the mean of a number, by a category in proportion to its share, by the count. Pure.

/** Cells across a tile of 512 pixels. */
export const TILE_CELLS = 128;
/** Width of a cell in pixels. */
export const CELL_PIXELS: number = 512 / TILE_CELLS;

export type Cell = {
  /** Column and row, from the upper left corner of the tile; outside of 0–127 in the margin of a group. */
  readonly x: number;
  readonly y: number;
  /** Features. */
  readonly n: number;
  /** Mean of their middles, in cells from the corner of the cell: 0–1. */
  readonly px: number;
  readonly py: number;
  /** What they cover together, in cells; more than 1 where they lie over each other. 0: points. */
  readonly area: number;
  /** The key of the feature, where there is only one. */
  readonly key: string | undefined;
  /**
   * Decides between the categories of cells that are put together: the smallest wins. It is a hash of one feature's key, so that a category
   * wins as often as it is frequent.
   */
  readonly hash: number;
  /** A value of each category column. */
  readonly categories: readonly (string | null)[];
  /** Of each number column: the sum, and of how many features. */
  readonly sums: readonly number[];
  readonly counts: readonly number[];
};

/** Which columns cells have. */
export type CellColumns = { readonly numbers: readonly string[]; readonly categories: readonly string[] };

/** The mean of a number column; undefined: no feature has a value. */
export function meanOf({ sums, counts }: Pick<Cell, 'sums' | 'counts'>, column: number): number | undefined {
  const count = counts[column] ?? 0;
  return count === 0 ? undefined : (sums[column] ?? 0) / count;
}

/** Two cells of the same place as one. */
export function addCells(one: Cell, other: Cell): Cell {
  const n = one.n + other.n;
  const between = (a: number, b: number): number => (a * one.n + b * other.n) / n;
  const chosen = one.hash <= other.hash ? one : other;
  return {
    x: one.x,
    y: one.y,
    n,
    px: between(one.px, other.px),
    py: between(one.py, other.py),
    area: one.area + other.area,
    key: undefined,
    hash: chosen.hash,
    categories: chosen.categories,
    sums: one.sums.map((sum, i) => sum + (other.sums[i] ?? 0)),
    counts: one.counts.map((count, i) => count + (other.counts[i] ?? 0)),
  };
}

/** Cells of one tile, each place once. */
export function uniteCells(lists: readonly (readonly Cell[])[]): readonly Cell[] {
  const known = new Map<number, Cell>();
  for (const list of lists)
    for (const cell of list) {
      const at = cell.y * TILE_CELLS + cell.x;
      const before = known.get(at);
      known.set(at, before === undefined ? cell : addCells(before, cell));
    }
  return [...known.values()];
}

/** The cells of a tile as those of a quarter of the tile above it. `dx`, `dy`: which quarter, 0 or 1 from west and from north. */
export function coarserCells(cells: readonly Cell[], dx: number, dy: number): readonly Cell[] {
  const half = TILE_CELLS / 2;
  return uniteCells([
    cells.map((cell) => ({
      ...cell,
      x: dx * half + (cell.x >> 1),
      y: dy * half + (cell.y >> 1),
      px: ((cell.x & 1) + cell.px) / 2,
      py: ((cell.y & 1) + cell.py) / 2,
      area: cell.area / 4,
    })),
  ]);
}
