// What making overviews asks of the catalogue. The portal fills it; it is the service's own work.

import type { TileAddress } from '../geo/tile.ts';
import type { Result } from '../kernel/result.ts';
import type { Batch, BatchResult, DbError } from '../pg/driver.ts';
import type { LayerOverview } from './layer.ts';

/** A new overview that is under way. */
export type NewOverview = {
  /** Tiles of it are told from those in use by this number. */
  readonly generation: number;
  /** The state of the rows when it was begun. */
  readonly data: string;
};

/** `isWhole`: made from the beginning; otherwise where rows have changed. */
type DueOverview = { readonly layer: number; readonly isWhole: boolean };

/** Of the overview in use: where rows have changed, as tiles of zoom 16. */
type OverviewChanges = {
  readonly generation: number;
  /** The last of the changes. */
  readonly upTo: string;
  readonly overview: LayerOverview;
  readonly tiles: readonly TileAddress[];
};

export type OverviewFacts = Omit<LayerOverview, 'isUpdating'>;

export type OverviewStore = {
  /** Layers of more than `fewest` rows whose overview has to be made, or is not up to date. `form`: of the bytes of a tile. */
  due(fewest: number, form: number, most: number): Promise<Result<readonly DueOverview[], DbError>>;
  /** Styles that maps have of their own for a layer, as they were sent; the newest of very many. */
  mapStyles(layer: number): Promise<Result<readonly unknown[], DbError>>;
  /** Changes of the layer's table are noted from here on. */
  begin(layer: number, geometryColumn: string): Promise<Result<NewOverview, DbError>>;
  /** Statements that read the layer's rows as the service, which sees all of them. */
  read(statements: Batch): Promise<BatchResult>;
  /** Runs DDL on the layer's table, as its owner. */
  alter(statements: Batch): Promise<BatchResult>;
  keepTile(layer: number, generation: number, tile: TileAddress, cells: Uint8Array): Promise<Result<void, DbError>>;
  /** The cells of a tile of the overview in use; undefined: it has too few features for that. */
  tile(layer: number, tile: TileAddress): Promise<Result<Uint8Array | undefined, DbError>>;
  finish(layer: number, made: NewOverview, form: number, facts: OverviewFacts): Promise<Result<void, DbError>>;
  /** There is none of this state of the rows. */
  fail(layer: number, made: NewOverview, why: string): Promise<Result<void, DbError>>;
  /** Undefined: there are none. */
  changes(layer: number): Promise<Result<OverviewChanges | undefined, DbError>>;
  /** Changes up to this one are in it. */
  renewed(layer: number, upTo: string): Promise<Result<void, DbError>>;
};
