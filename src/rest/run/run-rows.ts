// A read whose body is written here, row by row as it comes: one batch, as any read.

import type { PooledBody } from '../../kernel/growing-bytes.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, ExecuteOptions, Statement, StatementResult } from '../../pg/driver.ts';
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
  options: ExecuteOptions,
): Promise<Result<RowsOutcome, DbError>> {
  const executed = await driver.execute(batchOf(work), options);
  if (!executed.ok) return executed;
  return ok(work.rows.count > HELD_ROWS ? 'large' : outcomeOf(work, executed.value));
}

/** All rows, however many, in a transaction of this isolation. */
export async function runAllRows(
  work: RowsRun & { readonly isolation: string; readonly rollback: boolean },
  driver: Driver,
  options: ExecuteOptions,
): Promise<Result<RowsOutcome, DbError>> {
  const held = await driver.hold(async (session): Promise<Result<RowsOutcome, DbError>> => {
    const begin: Statement = { text: `begin isolation level ${work.isolation}`, params: [] };
    const executed = await session.execute([begin, ...batchOf(work)]);
    if (!executed.ok) return executed;
    const ended = await session.execute(endingOf(work.rollback));
    return ended.ok ? ok(outcomeOf(work, executed.value.slice(1))) : ended;
  }, options);
  return held.ok ? held.value : held;
}

/** A deferred constraint speaks at commit; a rollback asked for must not silence it. */
export function endingOf(rollback: boolean): readonly Statement[] {
  const texts = rollback ? ['set constraints all immediate', 'rollback'] : ['commit'];
  return texts.map((text) => ({ text, params: [] }));
}

function batchOf({ before, main, response, estimate }: RowsRun): readonly Statement[] {
  const batch = [...before, main, response];
  if (estimate !== undefined) batch.push(estimate);
  return batch;
}

function outcomeOf(work: RowsRun, results: readonly StatementResult[]): RowsOutcome {
  const { rows, total, before, estimate } = work;
  if (rows.isUnfit) return 'unfit';
  if (rows.isFull) return 'large';
  if (total === 'column' && rows.total === undefined) return 'untold';
  rows.finish();
  return {
    found: foundOf(work, rows.out.lend(), results[before.length + 1]),
    estimate: estimate === undefined ? undefined : decodeEstimate(resultAt(results, before.length + 2)),
  };
}

export function foundOf(
  { rows, total }: Pick<RowsRun, 'rows' | 'total'>,
  body: PooledBody,
  response: StatementResult | undefined,
): Found {
  const settings = response?.rows[0] ?? [];
  const last = settings[3];
  return {
    page: rows.count,
    total: total === 'page' ? rows.count : total === 'response' ? Number(settings[2]?.toString()) : rows.total,
    ...body,
    headers: settings[0]?.toString(),
    status: settings[1]?.toString(),
    location: undefined,
    inserted: undefined,
    ...(last != null && { last: JSON.parse(last.toString()) as (string | null)[] }),
  };
}

function resultAt(results: readonly StatementResult[], at: number): StatementResult {
  const result = results[at];
  if (result === undefined) throw new Error('a statement of a batch has no result');
  return result;
}
