// The one stage that asks the database. A request is one batch: scope, main statement, Sync. Only where the rows must
// be looked at before they may stay, or an isolation level is wanted, is it BEGIN … and then COMMIT or ROLLBACK.

import type { Readable } from 'node:stream';
import { err, ok, type Result } from '../../kernel/result.ts';
import type {
  Batch,
  BatchResult,
  DbError,
  Driver,
  ExecuteOptions,
  Statement,
  StatementResult,
} from '../../pg/driver.ts';
import type { RunError } from '../errors/run-error.ts';
import { decodeEstimate, decodePlan, decodeResult, type Found } from './decode.ts';
import { raisedProblem } from './raised-problem.ts';

export type Run = {
  /** Scope, what has to be asked before the main statement, and a write whose rows it reads. */
  readonly before: readonly Statement[];
  readonly main: Statement;
  /** EXPLAIN that estimates the total. */
  readonly estimate: Statement | undefined;
  /** The main statement is itself an EXPLAIN. */
  readonly isPlan: boolean;
  readonly transaction: TransactionEnd;
};

/** Says what is wrong with the rows that were found or written; undefined: nothing. */
export type ResultCheck = (found: Found) => RunError | undefined;

export type TransactionEnd =
  /** `check`: says what a statement meant that refused its own rows. */
  | { readonly kind: 'commit'; readonly check?: ResultCheck }
  | {
      readonly kind: 'checked';
      readonly isolation: 'read committed' | 'repeatable read' | 'serializable';
      readonly rollback: boolean;
      /** Looks at the rows; what it finds wrong undoes them. */
      readonly check: ResultCheck;
    };

/** The estimate is set beside the rows; which of the two totals counts is the reply's business. */
export type Outcome = {
  readonly found: Found;
  readonly estimate: number | undefined;
  /** The body as it comes, where it is too large to be held; how many rows there are on the page is not known then. */
  readonly stream?: Readable;
};

export async function run(
  work: Run,
  driver: Driver,
  options: ExecuteOptions,
): Promise<Result<Outcome, DbError | RunError>> {
  const { transaction } = work;
  if (transaction.kind === 'commit') {
    const executed = await driver.execute(batchOf(work), options);
    return executed.ok ? ok(outcomeOf(executed.value, work, 0)) : refused(executed.error, transaction.check);
  }
  const held = await driver.hold(async (session): Promise<Result<Outcome, DbError | RunError>> => {
    const executed: BatchResult = await session.execute([begin(transaction.isolation), ...batchOf(work)]);
    if (!executed.ok) return refused(executed.error, transaction.check);
    const outcome = outcomeOf(executed.value, work, 1);
    const problem = transaction.check(outcome.found);
    // A deferred constraint speaks at commit; a rollback asked for must not silence it.
    const ending = transaction.rollback
      ? [statement('set constraints all immediate'), statement('rollback')]
      : [statement('commit')];
    const ended = await session.execute(problem === undefined ? ending : [statement('rollback')]);
    if (!ended.ok) return ended;
    return problem === undefined ? ok(outcome) : err(problem);
  }, options);
  return held.ok ? held.value : held;
}

function refused(error: DbError, check: ResultCheck | undefined): Result<never, DbError | RunError> {
  return err((check === undefined ? undefined : raisedProblem(error, check)) ?? error);
}

function batchOf({ before, main, estimate }: Run): Batch {
  return estimate === undefined ? [...before, main] : [...before, main, estimate];
}

function outcomeOf(results: readonly StatementResult[], work: Run, begin: number): Outcome {
  const at = begin + work.before.length;
  const main = results[at];
  const estimate = work.estimate === undefined ? undefined : results[at + 1];
  if (main === undefined) throw new Error('the main statement of a batch has no result');
  return {
    found: work.isPlan ? decodePlan(main) : decodeResult(main),
    estimate: estimate === undefined ? undefined : decodeEstimate(estimate),
  };
}

function begin(isolation: string): Statement {
  return statement(`begin isolation level ${isolation}`);
}

/** Prepared, as it is sent again and again; its text is its name. */
function statement(text: string): Statement {
  return { text, params: [], name: text };
}
