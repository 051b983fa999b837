// The cells of a tile for a caller: from the layer's overview where that has them, else aggregated by the database, of a sample where the tile has
// very many rows. Runs as the caller: what row security hides is not counted.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import type { TileAddress } from '../../geo/tile.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { CancelSignal, DbError } from '../../pg/driver.ts';
import { type Cell, type CellColumns, TILE_CELLS } from '../cells/cell.ts';
import { decodeCells } from '../cells/cell-codec.ts';
import { readCells } from '../cells/read-cells.ts';
import { cellSize, cellsStatement, storedCellsStatement } from '../query/cells-sql.ts';
import { timeLimitAlone } from '../query/layer-sql.ts';
import type { Sql } from '../query/value.ts';
import { drawsLarge, sampleFor } from './shown.ts';

export type CellAsker = {
  readonly db: Pick<CallerDb, 'read'>;
  readonly caller: Caller;
  readonly info: RequestInfo;
  readonly signal?: CancelSignal | undefined;
};

export type CellAsk = {
  readonly layer: VectorLayer;
  readonly tile: TileAddress;
  /** Cells around the tile that are wanted as well. */
  readonly margin: number;
  readonly columns: CellColumns;
  /** Of rows, besides where they are. */
  readonly conditions: readonly Sql[];
  /** Features that fill a cell are left out: they are drawn themselves. */
  readonly isSummary: boolean;
  /** Rows that one statement looks at. */
  readonly piece: number;
};

const MAX_MS = 20_000;

export async function findCells(asker: CellAsker, ask: CellAsk): Promise<Result<readonly Cell[], DbError>> {
  if (!isStored(ask)) return aggregate(asker, ask);
  const around = neighbours(ask.tile, ask.margin);
  const stored = await readStored(asker, ask.layer, around);
  if (!stored.ok) return stored;
  const cells: Cell[] = [];
  for (const tile of around) {
    const known = stored.value.get(`${tile.x} ${tile.y}`);
    // Tiles of few features are not stored; and where rows have changed since, they are aggregated at once unless they are very many.
    const isOld = known === undefined || (known.isChanged && sampleFor(ask.layer, tile, ask.piece) === undefined);
    const found: Result<readonly Cell[], DbError> = isOld
      ? await aggregate(asker, { ...ask, tile, margin: 0 })
      : ok(decodeCells(known.bytes));
    if (!found.ok) return found;
    for (const cell of found.value) {
      const x = cell.x + (tile.x - ask.tile.x) * TILE_CELLS;
      const y = cell.y + (tile.y - ask.tile.y) * TILE_CELLS;
      if (isWithin(x, ask.margin) && isWithin(y, ask.margin)) cells.push({ ...withColumns(cell, ask), x, y });
    }
  }
  return ok(cells);
}

function isWithin(place: number, margin: number): boolean {
  return place >= -margin && place < TILE_CELLS + margin;
}

/** What is stored has features of every caller, of every value, and the columns that styles use. */
function isStored({ layer, tile, columns, conditions, isSummary }: CellAsk): boolean {
  const { overview } = layer;
  if (overview === undefined || tile.z > overview.summaryTo || conditions.length > 0) return false;
  const has = (names: readonly string[], known: readonly string[]): boolean =>
    names.every((name) => known.includes(name));
  const isWhole = isSummary || layer.geometry.kind === 'point';
  return isWhole && has(columns.numbers, overview.numbers) && has(columns.categories, overview.categories);
}

/** The columns that are asked for, in their order. */
function withColumns(cell: Cell, { layer: { overview }, columns }: CellAsk): Cell {
  if (overview === undefined || cell.sums.length !== overview.numbers.length) return cell;
  const numbers = columns.numbers.map((name) => overview.numbers.indexOf(name));
  const categories = columns.categories.map((name) => overview.categories.indexOf(name));
  return {
    ...cell,
    categories: categories.map((at) => cell.categories[at] ?? null),
    sums: numbers.map((at) => cell.sums[at] ?? 0),
    counts: numbers.map((at) => cell.counts[at] ?? 0),
  };
}

function neighbours({ z, x, y }: TileAddress, margin: number): readonly TileAddress[] {
  if (margin === 0) return [{ z, x, y }];
  const last = 2 ** z - 1;
  const around = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => ({ z, x: x + dx, y: y + dy })));
  return around.filter((tile) => tile.x >= 0 && tile.y >= 0 && tile.x <= last && tile.y <= last);
}

async function readStored(
  { db, caller, info, signal }: CellAsker,
  layer: VectorLayer,
  tiles: readonly TileAddress[],
): Promise<Result<ReadonlyMap<string, { readonly bytes: Buffer; readonly isChanged: boolean }>, DbError>> {
  const executed = await db.read(
    caller,
    info,
    [storedCellsStatement(layer, tiles)],
    signal === undefined ? {} : { signal },
  );
  if (!executed.ok) return executed;
  const rows = executed.value[0]?.rows ?? [];
  return ok(
    new Map(
      rows.map(([x, y, cells, changed]) => [
        `${x} ${y}`,
        {
          bytes: Buffer.from(cells?.subarray(2).toString('latin1') ?? '', 'hex'),
          isChanged: changed?.toString() === 't',
        },
      ]),
    ),
  );
}

async function aggregate(
  { db, caller, info, signal }: CellAsker,
  { layer, tile, margin, columns, conditions, isSummary, piece }: CellAsk,
): Promise<Result<readonly Cell[], DbError>> {
  const sizes = isSummary && drawsLarge(layer) ? { below: cellSize(layer, tile.z) } : undefined;
  const percent = sampleFor(layer, tile, piece);
  const statement = cellsStatement({ layer, tile, margin, columns, sizes, conditions, percent });
  const executed = await db.read(
    caller,
    info,
    [timeLimitAlone(MAX_MS), statement],
    signal === undefined ? {} : { signal },
  );
  return executed.ok ? ok(readCells(executed.value[1]?.rows ?? [], columns)) : executed;
}
