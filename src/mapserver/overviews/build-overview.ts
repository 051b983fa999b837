// Makes the overview of a layer, or brings it up to date where rows have changed. All of it is done in pieces, each a short statement of its own, so that
// others are served in between; rows that change meanwhile are noted, and aggregated again afterwards.

import { VISITOR } from '../../auth/caller.ts';
import type { TileAddress } from '../../geo/tile.ts';
import { inSlices } from '../../kernel/in-slices.ts';
import type { Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { LayerAccess } from '../../layer-ports/layer-access.ts';
import type { NewOverview, OverviewFacts, OverviewStore } from '../../layer-ports/overview-store.ts';
import type { Batch, DbError, Row } from '../../pg/driver.ts';
import { type Cell, type CellColumns, coarserCells, uniteCells } from '../cells/cell.ts';
import { CELL_FORM, decodeCells, encodeCells } from '../cells/cell-codec.ts';
import { decideDetail, type FeatureBytes } from '../cells/detail.ts';
import { readCells } from '../cells/read-cells.ts';
import { COUNT_ZOOM, makeTileCounts, NO_LEVEL, type TileCounts } from '../cells/tile-counts.ts';
import {
  cellSize,
  cellsStatement,
  countStatement,
  keyType,
  pieceEndStatement,
  type SizeRange,
  sampleStatement,
  sizeIndexes,
} from '../query/cells-sql.ts';
import { cellColumns, type StylesInUse } from './cell-columns.ts';

export type OverviewParts = {
  readonly store: OverviewStore;
  /** As the service sees them. */
  readonly layers: LayerAccess;
  /** Rows that one statement looks at, so that it takes no longer than others may wait. */
  readonly piece: number;
};

const NO_REQUEST = { method: '', path: '' } as const;
/** Rows whose values are compared. */
const SAMPLE = 5000;
/** Tiles with fewer features are not stored: to aggregate them when they are asked for takes some milliseconds. */
const FEWEST_STORED = 2000;

class Stopped extends Error {}
class Failed extends Error {
  readonly error: DbError;
  constructor(error: DbError) {
    super(`an overview has to wait: ${JSON.stringify(error)}`);
    this.error = error;
  }
}

/** What became of it, in a word for the log; throws when it has to be tried again. */
export async function buildOverview(
  parts: OverviewParts,
  id: number,
  signal: AbortSignal,
): Promise<'made' | 'none' | { readonly failure: string }> {
  const { store } = parts;
  const layer = await findLayer(parts, id);
  if (layer === undefined) return 'none';
  const made = unwrap(await store.begin(id, layer.geometry.column));
  if (keyType(layer) === undefined) {
    unwrap(await store.fail(id, made, 'the layer has no key of a common type'));
    return 'none';
  }
  try {
    await build(parts, layer, made, signal);
    return 'made';
  } catch (error) {
    // What the data are to blame for will not be otherwise until they are; anything else may be.
    if (!(error instanceof Failed) || error.error.kind !== 'sql' || /^(?:40|53|55|57)/.test(error.error.sqlstate))
      throw error;
    unwrap(await store.fail(id, made, error.error.message));
    return { failure: error.error.message };
  }
}

async function build(
  { store, layers, piece }: OverviewParts,
  layer: VectorLayer,
  made: NewOverview,
  signal: AbortSignal,
): Promise<void> {
  const read = reader(store, signal);
  const { columns, bytes } = await lookAt(read, layer, await stylesInUse(store, layers, layer.id));
  const counts = await countTiles(read, layer, piece);
  const detail = decideDetail(counts, bytes);
  const facts: OverviewFacts = { ...detail, ...columns, rows: counts.at({ z: 0, x: 0, y: 0 }) };
  // Each on its own: on the embedded engine everybody else waits for them.
  if (detail.summaryTo >= 0)
    for (const index of sizeIndexes(layer, detail.summaryTo)) unwrap(await store.alter([index]));
  const cellsOf = async (tile: TileAddress): Promise<readonly Cell[]> => {
    const rows = counts.at(tile);
    if (rows === 0) return [];
    const isStored = tile.z <= detail.summaryTo && rows > FEWEST_STORED;
    const isPiece = tile.z >= COUNT_ZOOM || rows <= piece;
    const cells =
      isPiece && !(isStored && tile.z < detail.summaryTo)
        ? await aggregate(read, layer, columns, tile, { below: cellSize(layer, tile.z) })
        : await unite(read, layer, columns, tile, cellsOf);
    if (isStored) unwrap(await store.keepTile(layer.id, made.generation, tile, encodeCells(columns, cells)));
    return cells;
  };
  if (detail.summaryTo >= 0) await cellsOf({ z: 0, x: 0, y: 0 });
  unwrap(await store.finish(layer.id, made, CELL_FORM, facts));
}

/** Aggregates the tiles anew in which rows have changed. */
export async function renewOverview(parts: OverviewParts, id: number, signal: AbortSignal): Promise<void> {
  const { store } = parts;
  const layer = await findLayer(parts, id);
  if (layer === undefined) return;
  const changes = unwrap(await store.changes(id));
  if (changes === undefined) return;
  const read = reader(store, signal);
  const { overview, generation } = changes;
  let tiles = distinct(changes.tiles.map((tile) => ancestor(tile, overview.summaryTo)));
  for (let zoom = overview.summaryTo; zoom >= 0; zoom -= 1) {
    for (const tile of tiles) {
      const stored = unwrap(await store.tile(id, tile));
      // Too few features, as long as the layer is not counted again: they are aggregated when they are asked for.
      if (stored === undefined) continue;
      const below = async (child: TileAddress): Promise<readonly Cell[]> => {
        const kept = unwrap(await store.tile(id, child));
        return kept === undefined
          ? aggregate(read, layer, overview, child, { below: cellSize(layer, child.z) })
          : decodeCells(kept);
      };
      const cells =
        zoom === overview.summaryTo
          ? await aggregate(read, layer, overview, tile, { below: cellSize(layer, zoom) })
          : await unite(read, layer, overview, tile, below);
      unwrap(await store.keepTile(id, generation, tile, encodeCells(overview, cells)));
    }
    tiles = distinct(tiles.map((tile) => ancestor(tile, zoom - 1)));
  }
  unwrap(await store.renewed(id, changes.upTo));
}

/** The cells of a tile from those of its four quarters, and of features that fill a cell there but not here. */
async function unite(
  read: Read,
  layer: VectorLayer,
  columns: CellColumns,
  { z, x, y }: TileAddress,
  cellsOf: (child: TileAddress) => Promise<readonly Cell[]>,
): Promise<readonly Cell[]> {
  const lists: (readonly Cell[])[] = [];
  for (const [dx, dy] of QUARTERS)
    lists.push(coarserCells(await cellsOf({ z: z + 1, x: 2 * x + dx, y: 2 * y + dy }), dx, dy));
  const sizes = { least: cellSize(layer, z + 1), below: cellSize(layer, z) };
  if (layer.geometry.kind !== 'point') lists.push(await aggregate(read, layer, columns, { z, x, y }, sizes));
  return uniteCells(lists);
}

const QUARTERS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;

async function aggregate(
  read: Read,
  layer: VectorLayer,
  columns: CellColumns,
  tile: TileAddress,
  sizes: SizeRange,
): Promise<readonly Cell[]> {
  const query = { layer, tile, margin: 0, columns, conditions: [], percent: undefined };
  const isPoint = layer.geometry.kind === 'point';
  return readCells(await read(cellsStatement({ ...query, sizes: isPoint ? undefined : sizes })), columns);
}

async function countTiles(read: Read, layer: VectorLayer, piece: number): Promise<TileCounts> {
  const counts = makeTileCounts();
  let after: string | undefined;
  for (;;) {
    const [end] = await read(pieceEndStatement(layer, after, piece));
    const upTo = end?.[0]?.toString();
    for (const row of await read(countStatement(layer, COUNT_ZOOM, NO_LEVEL, { after, upTo }))) {
      const [x = 0, y = 0, level = 0, n = 0] = row.map((cell) => Number(cell?.toString()));
      counts.add(x, y, level, n);
    }
    if (upTo === undefined) {
      await inSlices(counts.sum());
      return counts;
    }
    after = upTo;
  }
}

/** Bytes of a feature in a tile: its tags, and corners as far as they are told apart. */
const MANY = 500;
const [FEATURE_BYTES, COLUMN_BYTES, CORNER_BYTES, MAX_CORNERS] = [12, 2, 2.5, 12];

async function lookAt(
  read: Read,
  layer: VectorLayer,
  styles: StylesInUse,
): Promise<{ readonly columns: CellColumns; readonly bytes: FeatureBytes }> {
  const names = layer.columns.map(({ name }) => name);
  const [row = []] = await read(sampleStatement(layer, names, SAMPLE));
  const [corners = 1, ...found] = row.map((cell) => Number(cell?.toString() ?? 0));
  const columns = cellColumns(layer, styles, new Map(names.map((name, i) => [name, found[2 * i] ?? 0])));
  const shape = FEATURE_BYTES + CORNER_BYTES * Math.min(MAX_CORNERS, corners);
  const bare = shape + COLUMN_BYTES * (columns.numbers.length + columns.categories.length);
  // A value that many features have is told once.
  const full = names.reduce(
    (sum, _, i) => sum + COLUMN_BYTES + ((found[2 * i] ?? 0) > MANY ? (found[2 * i + 1] ?? 0) : 0),
    shape,
  );
  return { columns, bytes: { bare, full } };
}

async function stylesInUse(store: OverviewStore, layers: LayerAccess, id: number): Promise<StylesInUse> {
  const [own, ofMaps] = [await layers.styles(VISITOR, NO_REQUEST, id), await store.mapStyles(id)];
  return {
    own: own.ok ? own.value.map(({ maplibre }) => maplibre) : [],
    ofMaps: ofMaps.ok ? ofMaps.value : [],
  };
}

/** Undefined: there is none, or it has no features. */
async function findLayer({ layers }: OverviewParts, id: number): Promise<VectorLayer | undefined> {
  const found = await layers.find(VISITOR, NO_REQUEST, String(id));
  if (found.ok) return found.value.kind === 'vector' ? found.value : undefined;
  if (found.error.kind === 'no-such-layer') return undefined;
  throw new Failed(found.error.error);
}

type Read = (statement: Batch[number]) => Promise<readonly Row[]>;

function reader(store: OverviewStore, signal: AbortSignal): Read {
  return async (statement) => {
    if (signal.aborted) throw new Stopped('the program stops: the overview is made another time');
    return unwrap(await store.read([statement]))[0]?.rows ?? [];
  };
}

function unwrap<T>(result: Result<T, DbError>): T {
  if (result.ok) return result.value;
  throw new Failed(result.error);
}

function ancestor({ z, x, y }: TileAddress, zoom: number): TileAddress {
  return z <= zoom ? { z, x, y } : { z: zoom, x: x >> (z - zoom), y: y >> (z - zoom) };
}

function distinct(tiles: readonly TileAddress[]): readonly TileAddress[] {
  return [...new Map(tiles.map((tile) => [`${tile.x} ${tile.y}`, tile])).values()];
}
