// A read whose body is written here, row by row as it comes: one flight, as any read.

import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, FlyOptions, Statement, StatementResult } from '../../pg/driver.ts';
import { HELD_ROWS, type RowsTotal } from '../query/main-query.ts';
import type { BodyRows } from './body-rows.ts';
import { decodeEstimate, type Found } from './decode.ts';
import type { Outcome } from './run.ts';

export type RowsRun = {
  /** Scope, and what has to be asked before the rows. */
  readonly before: readonly Statement[];
  /** Its sink is `rows`. */
  readonly main: Statement;
  readonly rows: BodyRows;
  readonly total: RowsTotal;
  /** The response settings: headers and status that the database gives the reply. */
  readonly response: Statement;
  readonly estimate: Statement | undefined;
};

/**
 * `unfit`: the rows have to be asked for as texts. `untold`: no row came to tell how many there are. `large`: there are more than are
 * held in memory.
 */
type RowsOutcome = Outcome | 'unfit' | 'untold' | 'large';

export async function runRows(
  work: RowsRun,
  driver: Driver,
  options: FlyOptions,
): Promise<Result<RowsOutcome, DbError>> {
  const { before, main, response, estimate } = work;
  const flight = [...before, main, response];
  if (estimate !== undefined) flight.push(estimate);
  const flown = await driver.fly(flight, options);
  if (!flown.ok) return flown;
  const { rows, total } = work;
  if (rows.isUnfit) return ok('unfit');
  if (rows.isFull || rows.count > HELD_ROWS) return ok('large');
  if (total === 'column' && rows.total === undefined) return ok('untold');
  rows.finish();
  const results = flown.value;
  return ok({
    found: foundOf(work, rows.out.take(), results[before.length + 1]),
    estimate: estimate === undefined ? undefined : decodeEstimate(resultAt(results, before.length + 2)),
  });
}

export function foundOf(
  { rows, total }: Pick<RowsRun, 'rows' | 'total'>,
  body: Buffer,
  response: StatementResult | undefined,
): Found {
  const settings = response?.rows[0] ?? [];
  return {
    page: rows.count,
    total: total === 'page' ? rows.count : total === 'response' ? Number(settings[2]?.toString()) : rows.total,
    body,
    headers: settings[0]?.toString(),
    status: settings[1]?.toString(),
    location: undefined,
    inserted: undefined,
  };
}

function resultAt(results: readonly StatementResult[], at: number): StatementResult {
  const result = results[at];
  if (result === undefined) throw new Error('a statement of a flight has no result');
  return result;
}
