// Rows of the statement of cells (query/cells-sql.ts) → cells. Pure.

import type { Row } from '../../pg/driver.ts';
import type { Cell, CellColumns } from './cell.ts';

export function readCells(rows: readonly Row[], { numbers }: CellColumns): readonly Cell[] {
  return rows.map((row) => {
    const at = (i: number): number => Number(row[i]?.toString() ?? 0);
    const chosen = row[6]?.toString() ?? '';
    const [key = null, ...categories] = JSON.parse(chosen.slice(8) || '[]') as (string | null)[];
    const n = at(2);
    return {
      x: at(0),
      y: at(1),
      n,
      px: at(3),
      py: at(4),
      area: at(5),
      key: n === 1 ? (key ?? undefined) : undefined,
      hash: Number.parseInt(chosen.slice(0, 8), 16) || 0,
      categories,
      sums: numbers.map((_, i) => at(7 + 2 * i)),
      counts: numbers.map((_, i) => at(8 + 2 * i)),
    };
  });
}
