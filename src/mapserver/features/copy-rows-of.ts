// The rows of a query, copied as the database sends them. Where callers take turns, a long copy would hold up everybody: it is cut into pieces in
// the order of the key, each in a turn of its own, as many rows at once as a tenth of a second brings. Each piece is a snapshot of its own then:
// a row that is changed meanwhile is there as it was or as it is, one that nobody touches is there once.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { CancelSignal, DbError } from '../../pg/driver.ts';
import { boundedBy, type FeatureQuery, keyAt } from '../query/feature-query.ts';
import { timeLimit } from '../query/layer-sql.ts';
import { type CopyFormat, type Sql, toCopy } from '../query/value.ts';

export type RowCopy = {
  readonly query: FeatureQuery;
  /** What is selected of its rows. */
  readonly select: (query: FeatureQuery) => Sql;
  readonly format: CopyFormat;
  /** Of the first piece, where a row may take more than to be read; each further one is as large as the time that the last one took allows. */
  readonly firstRows?: number;
  /** Before each piece: a copy begins anew, which a binary one says by its header. */
  readonly onPiece?: () => void;
  readonly onChunk: (chunk: Buffer) => Promise<void> | undefined;
};

const COPY_MS = 600_000;
const PIECE_MS = 100;
const FIRST_ROWS = 500;
const MAX_ROWS = 50_000;

export async function copyRowsOf(
  db: CallerDb,
  caller: Caller,
  info: RequestInfo,
  { query, select, format, firstRows = FIRST_ROWS, onPiece = () => {}, onChunk }: RowCopy,
  signal: CancelSignal,
): Promise<Result<undefined, DbError>> {
  // What a piece takes counts from when it has its turn: waiting for others is no reason for smaller ones.
  let spent = 0;
  let since = 0;
  const onAcquired = (): void => {
    since = performance.now();
  };
  const options = { signal, timeLimitMs: COPY_MS, onAcquired };
  const copy = async (part: FeatureQuery, hasHeader: boolean): Promise<Result<number, DbError>> => {
    onPiece();
    const text = toCopy(select(part), format, hasHeader);
    const copied = await db.copyOut(caller, info, [timeLimit(COPY_MS)], text, onChunk, options);
    spent += performance.now() - since;
    return copied;
  };
  // Rows in another order than that of the key have to be sorted as a whole.
  if (db.driver.can.overlap || query.order.length > 0) {
    const copied = await copy(query, true);
    return copied.ok ? ok(undefined) : copied;
  }
  const findKey = async (from: FeatureQuery, place: number): Promise<Result<string | undefined, DbError>> => {
    const executed = await db.read(caller, info, [timeLimit(COPY_MS), keyAt(from, place)], options);
    spent += performance.now() - since;
    return executed.ok ? ok(executed.value[1]?.rows[0]?.[0]?.toString()) : executed;
  };

  let rest = query;
  if (query.offset > 0) {
    const before = await findKey({ ...query, offset: 0, limit: undefined }, query.offset - 1);
    if (!before.ok) return before;
    if (before.value === undefined) rest = { ...query, offset: 0, limit: 0 };
    else rest = { ...query, offset: 0, after: before.value };
  }
  let rows = firstRows;
  for (let isFirst = true; ; isFirst = false) {
    const wanted = Math.min(rows, rest.limit ?? rows);
    spent = 0;
    const last = wanted === 0 ? ok(undefined) : await findKey(rest, wanted - 1);
    if (!last.ok) return last;
    const upTo = last.value;
    const copied = await copy(upTo === undefined ? { ...rest, limit: wanted } : boundedBy(rest, upTo), isFirst);
    if (!copied.ok) return copied;
    if (upTo === undefined || wanted === rest.limit) return ok(undefined);
    if (signal.aborted) return err({ kind: 'cancelled' });
    rest = { ...rest, after: upTo, limit: rest.limit === undefined ? undefined : rest.limit - wanted };
    const share = PIECE_MS / Math.max(1, spent);
    rows = Math.round(Math.min(MAX_ROWS, Math.max(1, rows * Math.min(2, share))));
  }
}
