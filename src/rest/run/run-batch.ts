// Several requests in one transaction. What needs no answer of another one leaves with it in one round trip; a request that refers to an
// earlier one of the same round trip begins the next. With savepoints (`each`) a request that fails undoes itself alone; each has a round trip then.

import { ok, type Result } from '../../kernel/result.ts';
import type { Batch, DbError, Driver, ExecuteOptions, Session, Statement, StatementResult } from '../../pg/driver.ts';
import type { RestError } from '../errors/rest-error.ts';
import type { RunError } from '../errors/run-error.ts';
import { costIn } from './cost-problem.ts';
import { decodeEstimate, decodePlan, decodeResult, type Found } from './decode.ts';
import { raisedProblem } from './raised-problem.ts';
import type { Outcome } from './run.ts';

/** What one request asks of the database. */
export type BatchStep = {
  /** Its own settings, then perhaps the operator's function. */
  readonly before: readonly Statement[];
  readonly main: Statement;
  readonly estimate: Statement | undefined;
  readonly isPlan: boolean;
  /** Runs in a savepoint that may not write, and that is rolled back. */
  readonly readOnly: boolean;
  /** Looks at the rows; what it finds wrong undoes them. */
  readonly check: ((found: Found) => RunError | undefined) | undefined;
  /** Rows come back, as many as there are. */
  readonly answers: boolean;
  /** Nobody looks at its rows, before the commit or after it. */
  readonly quiet: boolean;
  /** Asked what it would cost before it runs. */
  readonly maxCost: { readonly most: number; readonly where?: string } | undefined;
};

export type BatchRun = {
  /** Who asks: role, claims, settings of the role. */
  readonly scope: Statement;
  readonly isolation: 'read committed' | 'repeatable read' | 'serializable';
  readonly rollback: boolean;
  readonly mode: 'all' | 'each';
  readonly size: number;
  /** The earlier requests whose answers this one uses, by place. */
  readonly needs: (place: number) => ReadonlySet<number>;
  /** Asked when what it needs is answered. Undefined: nothing is asked of the database. */
  readonly step: (place: number) => Result<BatchStep | undefined, RestError>;
  /** What came back becomes an answer, which later ones may use. */
  readonly answer: (place: number, outcome: Outcome | undefined) => Result<unknown, RestError>;
  readonly failed: (place: number, error: RestError) => void;
  /** The whole is known to need no look at its rows: it may be one round trip. */
  readonly quiet: boolean;
};

/** `at`: the request that failed, and everything with it; undefined: all is done as far as it could be. */
export type BatchEnd = {
  readonly at: number | undefined;
  /** The last round trip has ended the transaction itself. */
  readonly committed?: boolean;
};

/** In one round trip; what they are together is bounded between round trips. */
const MAX_ANSWERS = 10;

type Sent = { readonly place: number; readonly step: BatchStep; readonly from: number; readonly main: number };

export async function runBatch(
  work: BatchRun,
  driver: Driver,
  options: ExecuteOptions,
): Promise<Result<BatchEnd, RestError>> {
  if (work.quiet) return runQuietly(work, driver, options);
  const held = await driver.hold(async (session): Promise<Result<BatchEnd, RestError>> => {
    const end = await runSteps(work, session);
    if (!end.ok || end.value.committed === true) return end;
    // A deferred constraint speaks at commit; a rollback asked for must not silence it.
    const ending =
      end.value.at !== undefined
        ? [ROLLBACK]
        : work.rollback
          ? [named('set constraints all immediate'), ROLLBACK]
          : [COMMIT];
    const ended = await session.execute(ending);
    return ended.ok ? end : ended;
  }, options);
  return held.ok ? held.value : held;
}

async function runQuietly(
  work: BatchRun,
  driver: Driver,
  options: ExecuteOptions,
): Promise<Result<BatchEnd, RestError>> {
  const statements: Statement[] = [work.scope];
  const sent: Sent[] = [];
  for (let place = 0; place < work.size; place++) {
    const step = work.step(place);
    if (!step.ok) return failedAt(work, place, step.error);
    if (step.value !== undefined) sent.push(put(statements, place, step.value, 'all'));
  }
  // Where every statement is the same, it waits for the same locks: it may follow others of its kind.
  const executed = await driver.execute(statements, { sharing: 'same-statement', ...options });
  if (!executed.ok) {
    const at = placeOfError(sent, executed.error, statements.length);
    return at === undefined ? executed : failedAt(work, at, meantBy(executed.error, sent, at));
  }
  // Nothing that is wrong with an answer now can undo what was committed with it.
  for (const one of sent) {
    const told = work.answer(one.place, outcomeOf(executed.value, one));
    if (!told.ok) work.failed(one.place, told.error);
  }
  return ok({ at: undefined });
}

/** Ends with the session's transaction open, whatever became of it. */
async function runSteps(work: BatchRun, session: Session): Promise<Result<BatchEnd, RestError>> {
  let place = 0;
  /** Begins the transaction, or ends the savepoint of the last round trip. */
  let left: Batch = [named(`begin isolation level ${work.isolation}`), work.scope];
  while (place < work.size) {
    const statements: Statement[] = [...left];
    const sent: Sent[] = [];
    const first = place;
    left = [];
    for (; place < work.size; place++) {
      // Of a round trip that fails no answer comes back: with a savepoint for each, each has a round trip.
      if (sent.length > 0 && (work.mode === 'each' || [...work.needs(place)].some((needed) => needed >= first))) break;
      // Answers are counted when they are here: not too many of them at once.
      if (sent.filter(({ step: { answers } }) => answers).length >= MAX_ANSWERS) break;
      const step = work.step(place);
      if (step.ok && step.value?.maxCost !== undefined) {
        if (sent.length > 0) break;
        const asked = await costOf(step.value, statements.splice(0), session);
        if (!asked.ok) return asked;
        const { problem } = asked.value;
        if (problem !== undefined && work.mode === 'all') return failedAt(work, place, problem);
        if (problem !== undefined) {
          work.failed(place, problem);
          continue;
        }
      }
      const problem = !step.ok ? step.error : step.value === undefined ? settle(work, place, undefined) : undefined;
      if (problem !== undefined && work.mode === 'all') return failedAt(work, place, problem);
      if (problem !== undefined) work.failed(place, problem);
      else if (step.ok && step.value !== undefined) sent.push(put(statements, place, step.value, work.mode));
    }
    const asked = statements.length;
    // What comes back can undo nothing any more: the commit leaves with it.
    const commits =
      place === work.size && work.mode === 'all' && !work.rollback && sent.every(({ step: { quiet } }) => quiet);
    if (commits) statements.push(COMMIT);
    const executed = statements.length === 0 ? ok([]) : await session.execute(statements);
    if (!executed.ok) {
      const at = placeOfError(sent, executed.error, asked);
      if (at === undefined) return executed;
      const error = meantBy(executed.error, sent, at);
      if (work.mode === 'all') return failedAt(work, at, error);
      work.failed(at, error);
      left = UNDO;
      continue;
    }
    for (const one of sent) {
      const outcome = outcomeOf(executed.value, one);
      const problem = one.step.check?.(outcome.found) ?? settle(work, one.place, outcome);
      if (problem !== undefined && work.mode === 'all' && !commits) return failedAt(work, one.place, problem);
      if (problem !== undefined) work.failed(one.place, problem);
      if (work.mode === 'each') left = problem === undefined ? [RELEASE] : UNDO;
    }
    if (commits) return ok({ at: undefined, committed: true });
  }
  const ended = left.length === 0 ? ok([]) : await session.execute(left);
  return ended.ok ? ok({ at: undefined }) : ended;
}

/** In a savepoint of its own: what the question sets, or breaks, is gone before the statement runs. */
async function costOf(
  step: BatchStep,
  before: Batch,
  session: Session,
): Promise<Result<{ readonly problem: RestError | undefined }, RestError>> {
  const statements = [
    ...before,
    COST_SAVEPOINT,
    ...step.before,
    { text: `explain (format json) ${step.main.text}`, params: step.main.params },
  ];
  const asked = await session.execute(statements);
  if (!asked.ok && (asked.error.kind !== 'sql' || asked.error.statement < before.length)) return asked;
  const undone = await session.execute(COST_UNDO);
  if (!undone.ok) return undone;
  return ok({ problem: asked.ok ? costIn(asked.value.at(-1), step.maxCost ?? { most: 0 }) : asked.error });
}

function settle(work: BatchRun, place: number, outcome: Outcome | undefined): RestError | undefined {
  const told = work.answer(place, outcome);
  return told.ok ? undefined : told.error;
}

function failedAt(work: BatchRun, place: number, error: RestError): Result<BatchEnd, RestError> {
  work.failed(place, error);
  return ok({ at: place });
}

/** The statements of a request behind those that are in the round trip already. */
function put(statements: Statement[], place: number, step: BatchStep, mode: BatchRun['mode']): Sent {
  const from = statements.length;
  if (mode === 'each') statements.push(SAVEPOINT);
  if (step.readOnly) statements.push(READ_SAVEPOINT, READ_ONLY);
  statements.push(...step.before);
  const main = statements.push(step.main) - 1;
  if (step.estimate !== undefined) statements.push(step.estimate);
  // A read leaves nothing; and a savepoint that is left may write again.
  if (step.readOnly) statements.push(READ_UNDO, READ_RELEASE);
  return { place, step, from, main };
}

/** Undefined: it is about none of them, but about the connection, who asks, or the commit. */
function placeOfError(sent: readonly Sent[], error: DbError, length: number): number | undefined {
  if (error.kind !== 'sql' || error.statement >= length) return undefined;
  return sent.findLast(({ from }) => from <= error.statement)?.place;
}

/** A statement that refused its own rows says so in its own way. */
function meantBy(error: DbError, sent: readonly Sent[], at: number): RestError {
  const check = sent.find(({ place }) => place === at)?.step.check;
  return (check === undefined ? undefined : raisedProblem(error, check)) ?? error;
}

function outcomeOf(results: readonly StatementResult[], { step, main }: Sent): Outcome {
  const found = results[main];
  const estimate = step.estimate === undefined ? undefined : results[main + 1];
  if (found === undefined) throw new Error('a statement of a batch has no result');
  return {
    found: step.isPlan ? decodePlan(found) : decodeResult(found),
    estimate: estimate === undefined ? undefined : decodeEstimate(estimate),
  };
}

/** Prepared, as it is sent again and again; its text is its name. */
function named(text: string): Statement {
  return { text, params: [], name: text };
}

const ROLLBACK = named('rollback');
const COMMIT = named('commit');
const SAVEPOINT = named('savepoint survest_request');
const RELEASE = named('release savepoint survest_request');
const UNDO: Batch = [named('rollback to savepoint survest_request'), RELEASE];
const COST_SAVEPOINT = named('savepoint survest_cost');
const COST_UNDO: Batch = [named('rollback to savepoint survest_cost'), named('release savepoint survest_cost')];
const READ_SAVEPOINT = named('savepoint survest_read');
const READ_ONLY = named('set transaction read only');
const READ_UNDO = named('rollback to savepoint survest_read');
const READ_RELEASE = named('release savepoint survest_read');
