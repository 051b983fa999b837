// A read whose rows come level by level, with the response settings behind them: one batch, as any read.

import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, ExecuteOptions, Statement } from '../../pg/driver.ts';
import { HELD_ROWS } from '../query/main-query.ts';
import { decodeEstimate } from './decode.ts';
import type { LevelRows } from './level-rows.ts';
import type { Outcome } from './run.ts';

type LevelsRun = {
  /** Scope, and what has to be asked before the rows. */
  readonly before: readonly Statement[];
  /** Its sink is `rows`. */
  readonly main: Statement;
  readonly rows: LevelRows;
  readonly estimate: Statement | undefined;
  /** All rows come, and are the total. */
  readonly isTotal: boolean;
};

/** `unfit`: the database has to write the body, or rows came in another order than they stand in the tree. `large`: there is more than is held in memory. */
type LevelsOutcome = Outcome | 'unfit' | 'large';

export async function runLevels(
  { before, main, rows, estimate, isTotal }: LevelsRun,
  driver: Driver,
  options: ExecuteOptions,
): Promise<Result<LevelsOutcome, DbError>> {
  const batch = [...before, main];
  if (estimate !== undefined) batch.push(estimate);
  const executed = await driver.execute(batch, options);
  if (!executed.ok) return executed;
  if (rows.isUnfit) return ok('unfit');
  if (rows.isFull || rows.count > HELD_ROWS) return ok('large');
  if (!rows.isEnded) return ok('unfit');
  rows.finish();
  const { count, headers, status } = rows;
  const estimated = estimate === undefined ? undefined : executed.value.at(-1);
  return ok({
    found: {
      page: count,
      total: isTotal ? count : rows.total,
      ...rows.out.lend(),
      headers,
      status,
      location: undefined,
      inserted: undefined,
    },
    estimate: estimated === undefined ? undefined : decodeEstimate(estimated),
  });
}
