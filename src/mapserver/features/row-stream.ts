// Rows of the database → the body of an answer, as they come: however many there are, only a handful are in memory, and however slowly
// they are read, the database is free when it has made them. Nothing is sent
// before the first rows are there, so that what fails at once can still be told as a failure.

import type { Readable } from 'node:stream';
import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import { ReaderGone, SpooledStream } from '../../http/spooled-stream.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { CancelSignal, DbError } from '../../pg/driver.ts';
import type { FeatureQuery } from '../query/feature-query.ts';
import type { CopyFormat, Sql } from '../query/value.ts';
import { makeCopyReader, type OnRow } from './copy-rows.ts';
import { copyRowsOf } from './copy-rows-of.ts';

export type RowStream = {
  readonly query: FeatureQuery;
  readonly select: (query: FeatureQuery) => Sql;
  /** First of all. */
  readonly head: string;
  /** A row as it is written; undefined: not at all. */
  readonly row: (cells: readonly (Buffer | null)[], index: number) => Buffer | readonly Buffer[] | undefined;
  /** Last of all, when every row has passed. */
  readonly tail: () => string | Buffer;
};

const BATCH = 64 * 1024;

/** What is made of the bytes that come. */
export type CopyStream = {
  readonly query: FeatureQuery;
  readonly select: (query: FeatureQuery) => Sql;
  readonly format: CopyFormat;
  readonly onPiece?: () => void;
  readonly head: string;
  readonly onChunk: (chunk: Buffer, write: (piece: Buffer) => void) => void;
  /** Last of all, when everything has passed. */
  readonly tail: () => string | Buffer;
};

export function streamRows(
  db: CallerDb,
  caller: Caller,
  info: RequestInfo,
  { query, select, head, row, tail }: RowStream,
  signal: CancelSignal,
): Promise<Result<Readable, DbError>> {
  let index = 0;
  let write: (piece: Buffer) => void = () => {};
  const onRow: OnRow = (cells) => {
    const written = row(cells, index);
    index += 1;
    if (written === undefined) return;
    if (Buffer.isBuffer(written)) write(written);
    else for (const piece of written) write(piece);
  };
  let reader = makeCopyReader(onRow);
  return streamCopy(
    db,
    caller,
    info,
    {
      query,
      select,
      format: 'binary',
      head,
      onPiece() {
        reader = makeCopyReader(onRow);
      },
      onChunk(chunk, writeTo) {
        write = writeTo;
        reader.push(chunk);
      },
      tail,
    },
    signal,
  );
}

/**
 * Resolves when there is something to send, or when it is known that there will not be. What fails later breaks the stream off, so
 * that a client does not take half an answer for a whole one.
 */
export function streamCopy(
  db: CallerDb,
  caller: Caller,
  info: RequestInfo,
  { query, select, format, head, onPiece = () => {}, onChunk, tail }: CopyStream,
  /** Fires when nobody waits any more. */
  signal: CancelSignal,
): Promise<Result<Readable, DbError>> {
  return new Promise((resolve, reject) => {
    const out = new SpooledStream();
    let isOpen = false;
    let pieces: Buffer[] = [Buffer.from(head)];
    let gathered = 0;
    const open = (): void => {
      if (isOpen) return;
      isOpen = true;
      resolve(ok(out));
    };
    const send = (): Promise<void> | undefined => {
      const bytes = Buffer.concat(pieces);
      pieces = [];
      gathered = 0;
      open();
      return out.write(bytes);
    };
    const write = (piece: Buffer): void => {
      pieces.push(piece);
      gathered += piece.length;
    };
    const copied = copyRowsOf(
      db,
      caller,
      info,
      {
        query,
        select,
        format,
        onPiece,
        onChunk(chunk) {
          onChunk(chunk, write);
          return gathered < BATCH ? undefined : send();
        },
      },
      signal,
    );
    copied.then(
      (end) => {
        if (!end.ok) {
          if (isOpen) out.destroy(new Error('the database broke off'));
          else resolve(err(end.error));
          return;
        }
        pieces.push(Buffer.from(tail()));
        open();
        // Nobody waits for it: a reader that is gone ends it.
        out.finish(Buffer.concat(pieces)).catch(() => out.destroy());
      },
      (error: unknown) => {
        out.destroy();
        if (error instanceof ReaderGone) open();
        else if (!isOpen) reject(error);
      },
    );
  });
}
