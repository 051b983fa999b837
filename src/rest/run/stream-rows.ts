// A read of more rows than are held in memory: a cursor in a transaction of its own, under the caller's role, fetched part by part as
// the client takes them. The first part leaves in one batch with all that comes before it; where it is the whole, it is answered as any other.
//
// What the client does not take yet is spooled, so that the connection is free when the rows are made. Only when the spool is full does the
// database wait, and for a bounded time.

import type { StreamGate } from '../../auth/stream-gate.ts';
import { ReaderGone, SpooledStream, type SpoolLimits } from '../../http/spooled-stream.ts';
import type { PooledBody } from '../../kernel/growing-bytes.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { CancelSignal, DbError, Driver, ExecuteOptions, RowSink, Session, Statement } from '../../pg/driver.ts';
import type { BodyRows } from './body-rows.ts';
import { decodeEstimate } from './decode.ts';
import type { Outcome } from './run.ts';
import { endingOf, foundOf, type RowsRun } from './run-rows.ts';

export type StreamRun = RowsRun & {
  readonly isolation: string;
  readonly ending: StreamEnding;
  /** How long the database may wait for the client altogether. */
  readonly patienceMs: number;
  /** What the spool holds; left out: as much as it does by itself. */
  readonly spool?: SpoolLimits;
  readonly onStart: () => void;
  readonly onEnd: (end: StreamEnd) => void;
};

/**
 * What becomes of the transaction. `held`: it is committed before the first row is sent, and the database keeps the rows: what a function has
 * changed stays whoever reads them, nobody waits for its locks, and what fails at the commit is answered as an error. It takes a session of its own.
 */
export type StreamEnding = 'commit' | 'rollback' | 'held';

export type StreamEnd = {
  readonly how: 'complete' | 'client-left' | 'too-slow' | 'failed';
  readonly rows: number;
  readonly bytes: number;
  readonly tookMs: number;
  /** Why it failed. */
  readonly message?: string;
};

/** Of one fetch, about. */
const PART_BYTES = 256 * 1024;
const FIRST_ROWS = 100;
const MAX_ROWS = 10_000;

type First = Result<Outcome | 'unfit' | 'untold', DbError>;

/**
 * Resolves with what is known when the first part is there; all rows come by the stream. Without a stream they are all there. `unfit` and
 * `untold` as of `runRows`.
 */
export function streamRows(
  work: StreamRun,
  driver: Pick<Driver, 'hold'>,
  gate: StreamGate,
  options: ExecuteOptions,
): Promise<First> {
  return new Promise((resolve, reject) => {
    const whole = (): Promise<Result<void, DbError>> => {
      // Not before its turn: the gate listens for the client until then, and a client has one listener at a time.
      const client = leaving(options.signal);
      const rows = driver.hold(async (session) => {
        const first = await begin(work, session);
        const stream = first.ok && typeof first.value === 'object' ? first.value.stream : undefined;
        const spool = stream instanceof SpooledStream ? stream : undefined;
        // From here on the stream itself knows whether somebody reads it, and the session is needed to the end.
        if (work.ending === 'held' || spool === undefined) client.forget();
        resolve(first);
        if (spool === undefined) return;
        await produce(work, session, spool, client.forget);
        if (work.ending === 'held') await closeHeld(session);
      }, client.options(options));
      return rows.finally(client.forget);
    };
    gate(whole, options.signal).then((held) => {
      // Before the first part; after it, `produce` has told.
      if (!held.ok) resolve(held);
    }, reject);
  });
}

/**
 * Cancels what runs for a client who has left, until it is told to forget about it: before the last byte of the answer leaves, since whoever has
 * that may send the next request on the same connection, and a client has one listener at a time.
 */
function leaving(signal: CancelSignal | undefined): {
  options(given: ExecuteOptions): ExecuteOptions;
  forget(): void;
} {
  if (signal === undefined) return { options: (given) => given, forget: () => {} };
  const mine = new AbortController();
  const onAbort = (): void => mine.abort();
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return {
    options: (given) => ({ ...given, signal: mine.signal }),
    forget: () => signal.removeEventListener('abort', onAbort),
  };
}

async function begin(work: StreamRun, session: Session): Promise<First> {
  const { before, main, rows, total, response, estimate } = work;
  // Each part is taken from there before the next one comes.
  rows.out.most = Number.POSITIVE_INFINITY;
  const kind = work.ending === 'held' ? 'with hold' : '';
  const declare: Statement = {
    text: `declare survest_rows no scroll cursor ${kind} for ${main.text}`,
    params: main.params,
  };
  const batch = [
    plain(`begin isolation level ${work.isolation}`),
    ...before,
    declare,
    fetch(FIRST_ROWS, rows),
    response,
    ...(estimate === undefined ? [] : [estimate]),
  ];
  const executed = await session.execute(batch);
  if (!executed.ok) return executed;
  if (rows.isUnfit) return ok('unfit');
  if (total === 'column' && rows.total === undefined) return ok('untold');
  const isWhole = rows.count < FIRST_ROWS;
  if (isWhole || work.ending === 'held') {
    const ended = await session.execute(isWhole ? [CLOSE, ...endOf(work)] : endOf(work));
    if (!ended.ok) return ended;
  }
  if (isWhole) rows.finish();
  const at = before.length + 3;
  const estimated = executed.value[at + 1];
  const outcome: Outcome = {
    found: foundOf(work, isWhole ? rows.out.lend() : NOTHING, executed.value[at]),
    estimate: estimated === undefined ? undefined : decodeEstimate(estimated),
  };
  return ok(isWhole ? outcome : { ...outcome, stream: new SpooledStream(work.spool) });
}

const NOTHING: PooledBody = { body: Buffer.alloc(0) };

async function produce(work: StreamRun, session: Session, spool: SpooledStream, beforeLast: () => void): Promise<void> {
  const { rows } = work;
  const began = performance.now();
  let bytes = 0;
  let waitedMs = 0;
  const pass = async (part: Buffer, write: (part: Buffer) => Promise<void> | undefined): Promise<void> => {
    bytes += part.length;
    const from = performance.now();
    await within(write(part), work.patienceMs - waitedMs);
    waitedMs += performance.now() - from;
  };
  const end = (how: StreamEnd['how'], message?: string): void => {
    const tookMs = performance.now() - began;
    work.onEnd({ how, rows: rows.count, bytes, tookMs, ...(message === undefined ? {} : { message }) });
  };
  work.onStart();
  // Nobody reads it any more when this is told; without a listener it would end the program.
  spool.on('error', () => {});
  try {
    const failure = await fetchAll(work, session, (part) => pass(part, (bytes) => spool.write(bytes)));
    if (failure !== undefined) {
      // The answer is cut off where it is, so that nobody takes it for the whole.
      spool.destroy(new Error(failure));
      return end('failed', failure);
    }
    rows.finish();
    beforeLast();
    await pass(rows.out.take(), (bytes) => spool.finish(bytes));
    return end('complete');
  } catch (error) {
    const isSlow = error instanceof TooSlow;
    if (!isSlow && !(error instanceof ReaderGone)) {
      spool.destroy(new Error('the stream failed'));
      end('failed', error instanceof Error ? error.message : String(error));
      return;
    }
    spool.destroy(isSlow ? error : undefined);
    end(isSlow ? 'too-slow' : 'client-left');
  }
}

/** Returns what went wrong in the database. */
async function fetchAll(
  work: StreamRun,
  session: Session,
  pass: (part: Buffer) => Promise<void>,
): Promise<string | undefined> {
  const { rows } = work;
  const onward = continued(rows);
  let size = FIRST_ROWS;
  let gathered = 0;
  for (let isLast = false; !isLast; ) {
    const part = rows.out.take();
    // What columns are made of comes out later, and all at once.
    const more = Math.max(0, (rows.gathered ?? 0) - gathered);
    gathered = rows.gathered ?? 0;
    size = nextSize(size, Math.max(part.length, more));
    if (part.length > 0) await pass(part);
    const before = rows.count;
    const executed = await session.execute([fetch(size, onward)]);
    if (!executed.ok) return wordsOf(executed.error);
    if (rows.isUnfit) return 'dates are not written in ISO style';
    isLast = rows.count - before < size;
  }
  const ended = work.ending === 'held' ? ok(undefined) : await session.execute(endOf(work));
  return ended.ok ? undefined : wordsOf(ended.error);
}

/** What is held stays with the session: whoever has it next must not find it. */
async function closeHeld(session: Session): Promise<void> {
  const closed = await session.execute([CLOSE]);
  if (!closed.ok) session.discard('the rows of a function could not be closed');
}

/** As many rows as make a part, by what the last ones took; at most four times as many, for the next may be larger. */
function nextSize(rows: number, bytes: number): number {
  const fitting = Math.ceil((rows * PART_BYTES) / Math.max(1, bytes));
  return Math.max(1, Math.min(MAX_ROWS, rows * 4, fitting));
}

/** Goes on where the part before ended. */
function continued(rows: BodyRows): RowSink {
  const row: RowSink['row'] = (bytes, start, end) => rows.row(bytes, start, end);
  const run = rows.run?.bind(rows);
  return run === undefined ? { begin: () => {}, row } : { begin: () => {}, row, run };
}

function fetch(rows: number, into: RowSink): Statement {
  return { text: `fetch forward ${rows} from survest_rows`, params: [], into };
}

function plain(text: string): Statement {
  return { text, params: [] };
}

const CLOSE: Statement = plain('close survest_rows');

function endOf({ ending }: StreamRun): readonly Statement[] {
  return endingOf(ending === 'rollback');
}

class TooSlow extends Error {}

/** Waits for what may not be there (then it is done at once), but no longer than this. */
async function within(waiting: Promise<void> | undefined, ms: number): Promise<void> {
  if (waiting === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  // It may reject later, when nobody waits for it any more.
  waiting.catch(() => {});
  try {
    await Promise.race([
      waiting,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new TooSlow()), Math.max(0, ms));
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

function wordsOf(error: DbError): string {
  return 'message' in error ? error.message : error.kind;
}
