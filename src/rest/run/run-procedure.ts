// CALL of a procedure. In the request's transaction it is BEGIN, scope, CALL, then what it brought is read, then COMMIT: outside of an explicit
// transaction a procedure could end the implicit one, and with it the role that it runs as. One that is marked as ending transactions has
// role and settings set for the connection, which goes back to the pool only when they are undone.
//
// All of it is one batch where what CALL brings need not go back to the database: there is nothing, or its row can be written as JSON here.

import { err, ok, type Result } from '../../kernel/result.ts';
import type {
  Batch,
  DbError,
  Driver,
  ExecuteOptions,
  Row,
  Session,
  Statement,
  StatementResult,
} from '../../pg/driver.ts';
import type { RunError } from '../errors/run-error.ts';
import { decodeResult, type Found } from './decode.ts';
import { isWrittenHere, rowJson } from './row-json.ts';
import type { Outcome, TransactionEnd } from './run.ts';

export type ProcedureRun = {
  readonly name: string;
  /** Before the CALL: pre-request, guard, arguments. */
  readonly before: Batch;
  readonly call: Statement;
  /** Reads what CALL brought. */
  readonly main: (outputs: Row) => Statement;
  /** Undefined: nothing that is read undoes the call. */
  readonly check: ((found: Found) => RunError | undefined) | undefined;
  /** What CALL brings has columns: there is something to read. */
  readonly hasOutputs: boolean;
  /** Set: the answer is the row that CALL brings, as it is. */
  readonly rowAnswer: RowAnswer | undefined;
} & (
  | { readonly kind: 'inside'; readonly scope: Statement; readonly end: Exclude<TransactionEnd, { kind: 'commit' }> }
  | {
      readonly kind: 'outside';
      readonly role: string;
      readonly scope: { readonly set: Statement; readonly undo: Batch };
    }
);

type RowAnswer = {
  /** Reads the response settings: headers and status that the database gives the reply. */
  readonly response: Statement;
  /** What earlier calls have shown of the row; undefined: nothing yet. */
  readonly seen: { isWrittenHere: boolean | undefined };
};

type Inside = Extract<ProcedureRun, { kind: 'inside' }>;
type Outside = Extract<ProcedureRun, { kind: 'outside' }>;
type Ran = Result<Outcome, DbError | RunError>;

export async function runProcedure(work: ProcedureRun, driver: Driver, options: ExecuteOptions): Promise<Ran> {
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

async function runInside(work: Inside, session: Session): Promise<Ran> {
  const { end, rowAnswer } = work;
  const begun = [named(`begin isolation level ${end.isolation}`), work.scope, ...work.before];
  const commits = work.check === undefined && !end.rollback;
  if (commits && !work.hasOutputs) return callAndRead(work, session, begun);
  if (commits && rowAnswer?.seen.isWrittenHere === true) return callAndWrite(work, rowAnswer, session, begun);
  const isUnseen = rowAnswer !== undefined && rowAnswer.seen.isWrittenHere === undefined;
  const called = await session.execute([...begun, isUnseen ? { ...work.call, describe: true } : work.call]);
  if (!called.ok) return refused(called.error, work);
  const result = called.value.at(-1);
  if (isUnseen) rowAnswer.seen.isWrittenHere = isWrittenHere(result?.fields ?? []);
  const read = await session.execute([work.main(result?.rows[0] ?? []), ...(commits ? [COMMIT] : [])]);
  if (!read.ok) return read;
  const outcome = outcomeOf(read.value[0]);
  if (commits) return ok(outcome);
  const problem = work.check?.(outcome.found);
  // A deferred constraint speaks at commit; a rollback asked for must not silence it.
  const ending = end.rollback ? [named('set constraints all immediate'), ROLLBACK] : [COMMIT];
  const ended = await session.execute(problem === undefined ? ending : [ROLLBACK]);
  if (!ended.ok) return ended;
  return problem === undefined ? ok(outcome) : err(problem);
}

/** What is read does not depend on what CALL brings. */
async function callAndRead(work: Inside, session: Session, begun: Batch): Promise<Ran> {
  const executed = await session.execute([...begun, work.call, work.main([]), COMMIT]);
  return executed.ok ? ok(outcomeOf(executed.value.at(-2))) : refused(executed.error, work);
}

async function callAndWrite(work: Inside, { response, seen }: RowAnswer, session: Session, begun: Batch): Promise<Ran> {
  const executed = await session.execute([...begun, { ...work.call, describe: true }, response, COMMIT]);
  if (!executed.ok) return refused(executed.error, work);
  const [called, settings] = executed.value.slice(-3);
  const row = called?.rows[0] ?? [];
  const body = rowJson(called?.fields ?? [], row);
  if (body !== undefined) return ok(rowOutcome(body, settings));
  // The procedure has got another type of argument since: the database writes this row, too.
  seen.isWrittenHere = false;
  const read = await session.execute([named('begin'), work.scope, work.main(row), COMMIT]);
  return read.ok ? ok(outcomeOf(read.value[2])) : read;
}

function rowOutcome(body: Buffer, settings: StatementResult | undefined): Outcome {
  const [headers, status] = settings?.rows[0] ?? [];
  const found: Found = {
    page: 1,
    total: undefined,
    body,
    headers: headers?.toString(),
    status: status?.toString(),
    location: undefined,
    inserted: undefined,
  };
  return { found, estimate: undefined };
}

function refused(error: DbError, { name }: ProcedureRun): Ran {
  return err(transactionEnded(error, name) ?? error);
}

async function runOutside(work: Outside, session: Session): Promise<Ran> {
  try {
    const set = await session.execute([work.scope.set, ...work.before]);
    if (!set.ok) return set;
    const kept = await session.execute([plain('select current_user')]);
    if (!kept.ok) return kept;
    // Without it the procedure would run as the service itself.
    if (kept.value[0]?.rows[0]?.[0]?.toString() !== work.role) return err({ kind: 'role-not-kept', name: work.name });
    // Alone in its batch: only then may it end the transaction that it finds itself in.
    const called = await session.execute([work.call]);
    if (!called.ok) return called;
    const read = await session.execute([work.main(called.value[0]?.rows[0] ?? [])]);
    if (!read.ok) return read;
    const outcome = outcomeOf(read.value[0]);
    const problem = work.check?.(outcome.found);
    return problem === undefined ? ok(outcome) : err(problem);
  } finally {
    const undone = await session.execute(work.scope.undo);
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

/** Prepared, as it is sent again and again; its text is its name. */
function named(text: string): Statement {
  return { text, params: [], name: text };
}

const COMMIT = named('commit');
const ROLLBACK = named('rollback');
