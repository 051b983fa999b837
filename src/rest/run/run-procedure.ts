// CALL of a procedure. In the request's transaction it is BEGIN, scope, CALL, then what it brought is read, then COMMIT: outside of an explicit
// transaction a procedure could end the implicit one, and with it the role that it runs as. One that is marked as ending transactions has
// role and settings set for the connection, which goes back to the pool only when they are undone.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, Flight, FlyOptions, Row, Session, Statement } from '../../pg/driver.ts';
import type { RunError } from '../errors/run-error.ts';
import { decodeResult, type Found } from './decode.ts';
import type { Outcome, TransactionEnd } from './run.ts';

export type ProcedureRun = {
  readonly name: string;
  /** Before the CALL: pre-request, guard, arguments. */
  readonly before: Flight;
  readonly call: Statement;
  /** Reads what CALL brought. */
  readonly main: (outputs: Row) => Statement;
  readonly judge: (found: Found) => RunError | undefined;
} & (
  | { readonly kind: 'inside'; readonly scope: Statement; readonly end: Exclude<TransactionEnd, { kind: 'commit' }> }
  | {
      readonly kind: 'outside';
      readonly role: string;
      readonly scope: { readonly set: Statement; readonly undo: Flight };
    }
);

type Ran = Result<Outcome, DbError | RunError>;

export async function runProcedure(work: ProcedureRun, driver: Driver, options: FlyOptions): Promise<Ran> {
  const { signal: _, ...unwatched } = options;
  const held =
    work.kind === 'inside'
      ? await driver.hold((session) => runInside(work, session), options)
      : // Who has left must not keep the connection from being cleaned: the procedure goes on to its end.
        await driver.hold((session) => runOutside(work, session), unwatched);
  return held.ok ? held.value : held;
}

const INVALID_TRANSACTION_TERMINATION = '2D000';

/** Undefined: it is about something else. */
export function transactionEnded(error: { readonly kind: string }, name: string): RunError | undefined {
  const isEnd = 'sqlstate' in error && error.sqlstate === INVALID_TRANSACTION_TERMINATION;
  return isEnd ? { kind: 'procedure-ends-transaction', name } : undefined;
}

async function runInside(work: Extract<ProcedureRun, { kind: 'inside' }>, session: Session): Promise<Ran> {
  const { end } = work;
  const called = await session.fly([
    plain(`begin isolation level ${end.isolation}`),
    work.scope,
    ...work.before,
    work.call,
  ]);
  if (!called.ok) return err(transactionEnded(called.error, work.name) ?? called.error);
  const read = await session.fly([work.main(called.value.at(-1)?.rows[0] ?? [])]);
  if (!read.ok) return read;
  const outcome = outcomeOf(read.value[0]);
  const problem = work.judge(outcome.found);
  // A deferred constraint speaks at commit; a rollback asked for must not silence it.
  const ending = end.rollback ? [plain('set constraints all immediate'), plain('rollback')] : [plain('commit')];
  const ended = await session.fly(problem === undefined ? ending : [plain('rollback')]);
  if (!ended.ok) return ended;
  return problem === undefined ? ok(outcome) : err(problem);
}

async function runOutside(work: Extract<ProcedureRun, { kind: 'outside' }>, session: Session): Promise<Ran> {
  try {
    const set = await session.fly([work.scope.set, ...work.before]);
    if (!set.ok) return set;
    const kept = await session.fly([plain('select current_user')]);
    if (!kept.ok) return kept;
    // Without it the procedure would run as the service itself.
    if (kept.value[0]?.rows[0]?.[0]?.toString() !== work.role) return err({ kind: 'role-not-kept', name: work.name });
    // Alone in its flight: only then may it end the transaction that it finds itself in.
    const called = await session.fly([work.call]);
    if (!called.ok) return called;
    const read = await session.fly([work.main(called.value[0]?.rows[0] ?? [])]);
    if (!read.ok) return read;
    const outcome = outcomeOf(read.value[0]);
    const problem = work.judge(outcome.found);
    return problem === undefined ? ok(outcome) : err(problem);
  } finally {
    const undone = await session.fly(work.scope.undo);
    if (!undone.ok) session.discard('the role of a procedure could not be reset');
  }
}

function outcomeOf(result: Parameters<typeof decodeResult>[0] | undefined): Outcome {
  if (result === undefined) throw new Error('what a procedure brought was not read');
  return { found: decodeResult(result), estimate: undefined };
}

function plain(text: string): Statement {
  return { text, params: [] };
}
