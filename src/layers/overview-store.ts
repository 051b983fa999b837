// What making overviews asks of the catalogue. The portal fills it; it is the service's own work.

import type { Result } from '../kernel/result.ts';
import type { DbError, Flight, FlightResult } from '../pg/driver.ts';

export type OverviewRun = {
  /** As the service, which sees every row. */
  asService(statements: Flight): Promise<FlightResult>;
  /** As the role that logged in, which keeps what was made. */
  asLogin(statements: Flight): Promise<FlightResult>;
};

export type OverviewStore = {
  /** Layers of more than `fewest` rows whose overview has to be made, or made anew. */
  due(fewest: number, mostRows: number, most: number): Promise<Result<readonly number[], DbError>>;
  /** Layers whose overview stays as it is, but with columns that styles of today ask for. */
  dueColumns(most: number): Promise<Result<readonly number[], DbError>>;
  /** Styles that change from here on make the columns due again. */
  beginColumns(layer: number): Promise<Result<void, DbError>>;
  /** Styles that maps have of their own for a layer, as they were sent; the newest of very many. */
  mapStyles(layer: number): Promise<Result<readonly unknown[], DbError>>;
  /** Changes of the layer's table are noted from here on. */
  begin(layer: number): Promise<Result<void, DbError>>;
  /** In one transaction that sees one state of the rows: committed when `work` returns an ok. */
  build(work: (run: OverviewRun) => Promise<Result<void, DbError>>): Promise<Result<void, DbError>>;
  /** `failure`: why there is none of this state of the rows. */
  finish(layer: number, failure: string | undefined): Promise<Result<void, DbError>>;
};
