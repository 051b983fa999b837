// A large insert, piece by piece in one transaction under the caller's role: all rows, or none. Before each piece stands a savepoint; when one fails,
// its rows are tried by halves, so that the error can name the row.

import type { StreamGate } from '../../auth/stream-gate.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, ExecuteOptions, Session, Statement } from '../../pg/driver.ts';
import type { RestError } from '../errors/rest-error.ts';
import { elementsOf, type Slice } from '../request/json-slices.ts';
import { skipBlanks } from '../request/json-text.ts';
import { decodeResult, type Found } from './decode.ts';

export type InsertPiece = {
  readonly statement: Statement;
  /** The parameter that holds its rows. */
  readonly bytes: Uint8Array;
  readonly isArray: boolean;
  /** Rows of the body before it. */
  readonly before: number;
};

export type PiecesRun = {
  /** Scope, and what has to be asked before the rows. */
  readonly before: readonly Statement[];
  readonly isolation: string;
  readonly rollback: boolean;
  readonly pieces: AsyncIterable<Result<InsertPiece, RestError>>;
};

const SAVEPOINT = plain('savepoint survest_piece');
const RELEASE = plain('release savepoint survest_piece');
const UNDO = plain('rollback to savepoint survest_piece');
/** Updates of an upsert count themselves, for one statement. */
const COUNT_ANEW = plain("select set_config('survest.updated', '', true)");

export async function insertPieces(
  work: PiecesRun,
  driver: Pick<Driver, 'hold'>,
  gate: StreamGate,
  options: ExecuteOptions,
): Promise<Result<Found, RestError>> {
  const held = await gate(() => driver.hold((session) => insertAll(work, session), options), options.signal);
  return held.ok ? held.value : held;
}

async function insertAll(work: PiecesRun, session: Session): Promise<Result<Found, RestError>> {
  const begun = await session.execute([plain(`begin isolation level ${work.isolation}`), ...work.before]);
  if (!begun.ok) return begun;
  let found: Found = NOTHING_YET;
  for await (const piece of work.pieces) {
    if (!piece.ok) return undone(session, piece.error);
    const first = found === NOTHING_YET ? [SAVEPOINT] : [RELEASE, SAVEPOINT];
    const executed = await session.execute([...first, COUNT_ANEW, piece.value.statement]);
    if (!executed.ok) {
      const error = executed.error.kind === 'sql' ? await named(session, piece.value, executed.error) : executed.error;
      return undone(session, error);
    }
    const result = executed.value.at(-1);
    if (result === undefined) throw new Error('a piece of an insert has no result');
    found = together(found, decodeResult(result));
  }
  const ending = work.rollback ? [plain('set constraints all immediate'), plain('rollback')] : [plain('commit')];
  const ended = await session.execute(ending);
  return ended.ok ? ok(found) : ended;
}

async function undone(session: Session, error: RestError): Promise<Result<never, RestError>> {
  const ended = await session.execute([plain('rollback')]);
  return ended.ok || error.kind !== 'cancelled' ? err(error) : ended;
}

const EMPTY = Buffer.alloc(0);
const NOTHING_YET: Found = {
  page: 0,
  total: undefined,
  body: EMPTY,
  headers: undefined,
  status: undefined,
  location: undefined,
  inserted: undefined,
};

function together(before: Found, now: Found): Found {
  return {
    ...now,
    page: before.page + now.page,
    total: undefined,
    body: EMPTY,
    location: undefined,
    inserted:
      now.inserted === undefined && before.inserted === undefined
        ? undefined
        : (before.inserted ?? 0) + (now.inserted ?? 0),
  };
}

type SqlError = Extract<DbError, { kind: 'sql' }>;

/** The error with the row that it is about. Rows that go well stay in, since the one that does not may be at odds with one of them. */
async function named(session: Session, piece: InsertPiece, error: SqlError): Promise<DbError> {
  const rows = piece.isArray ? [...elementsOf(piece.bytes, skipBlanks(piece.bytes, 0))] : [];
  let [from, to] = [0, rows.length];
  let last = error;
  const undo = await session.execute([UNDO]);
  if (!undo.ok) return undo.error;
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    const tried = await session.execute([withRows(piece, rows.slice(from, middle))]);
    if (tried.ok) {
      from = middle;
      const kept = await session.execute([SAVEPOINT]);
      if (!kept.ok) return kept.error;
      continue;
    }
    if (tried.error.kind !== 'sql') return tried.error;
    last = tried.error;
    to = middle;
    const undoing = await session.execute([UNDO]);
    if (!undoing.ok) return undoing.error;
  }
  const words = `It is about row ${piece.before + from + 1} of the body; nothing was written.`;
  return { ...last, hint: last.hint === null ? words : `${last.hint} ${words}` };
}

function withRows({ statement, bytes }: InsertPiece, rows: readonly Slice[]): Statement {
  const first = rows[0]?.start ?? 0;
  const end = rows.at(-1)?.end ?? 0;
  const part = Buffer.concat([OPEN, bytes.subarray(first, end), CLOSE]);
  return { ...statement, params: statement.params.map((param) => (param === bytes ? part : param)) };
}

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

function plain(text: string): Statement {
  return { text, params: [] };
}
