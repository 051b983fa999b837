// The contract both database engines fill: `postgres/` (by socket) and `pglite/` (in process).
// Above this row nobody decides by which of the two is running: where it matters, `Driver.can` says what the engine can do. Its name is for logs and manifests.
//
// A batch is one write to the server and one Sync: all its statements are one transaction, and what they set with
// set_config(…, true) is gone when the Sync is answered, whether they succeeded or not.

import type { Result } from '../kernel/result.ts';
import type { DecodedTransaction } from './replication/decoded-transaction.ts';

/** A value for a `$n`: text (string, or UTF-8 bytes passed on as they came), binary, or NULL. */
export type Param = string | Uint8Array | { readonly binary: Uint8Array } | null;

export type Statement = {
  readonly text: string;
  readonly params: readonly Param[];
  /** Prepared once per connection under this name; absent: parsed for this batch only. */
  readonly name?: string;
  /** Ask for names and types of the result columns; the hot path knows them and does not ask. */
  readonly describe?: boolean;
  /** Only its effect is wanted: the rows it returns are left unread, and its result has none. */
  readonly ignoreRows?: boolean;
  /** Takes the rows as they arrive; the result has none then. */
  readonly into?: RowSink;
  /** All rows of a COPY … FROM STDIN, sent right behind it, where the engine can (`can.copy`). */
  readonly copied?: Uint8Array;
};

/** Reads rows off the wire, without an object for each row and cell. */
export type RowSink = {
  /** Once before the rows, also where there are none. A batch that is sent again begins again. */
  begin(fields: readonly ResultField[]): void;
  /**
   * One row: from `start` on the number of its cells in 16 bits, then each cell with its length in 32 bits, of which -1 is NULL.
   * The bytes are written over after the call.
   */
  row(bytes: Buffer, start: number, end: number): void;
  /** Several rows in a row, each with the head of its message (a letter, and its length in 32 bits) before it. Left out: they come one by one. */
  run?(bytes: Buffer, start: number, end: number): void;
};

export type Batch = readonly Statement[];

/** A result column: its name, the OID of its type, and its modifier (a length, a precision) where it has one. */
export type ResultField = { readonly name: string; readonly type: number; readonly modifier?: number };

/** What one statement brought: cells are the bytes PostgreSQL sent (text format), null is SQL NULL. */
export type StatementResult = {
  readonly rows: readonly Row[];
  /** Command tag, e.g. `INSERT 0 3`. */
  readonly tag: string;
  readonly fields?: readonly ResultField[];
};
export type Row = readonly (Buffer | null)[];

export type ErrorSubject = { readonly table?: string; readonly column?: string; readonly constraint?: string };

/** What PostgreSQL said, field by field, nothing added. */
export type SqlError = {
  readonly kind: 'sql';
  readonly sqlstate: string;
  readonly message: string;
  readonly detail: string | null;
  readonly hint: string | null;
  /** What it is about, where the server names it apart from the message, which may be in any language. */
  readonly about?: ErrorSubject;
  /** The server closed the connection with it. */
  readonly isFatal?: true;
  /** Which statement of the batch failed; the batch's length: none, but the commit after them (a deferred constraint). */
  readonly statement: number;
};

export type DbError =
  | SqlError
  /** No connection could be made: server down, wrong address, refused credentials (`fatal`). */
  | {
      readonly kind: 'unreachable';
      readonly message: string;
      readonly fatal: boolean;
      /** The server is there, and takes no further connection for now (53300). */
      readonly isFull?: true;
    }
  /** The connection died under the batch; whether it was committed is unknown. */
  | { readonly kind: 'lost'; readonly message: string }
  | { readonly kind: 'pool-timeout'; readonly afterMs: number }
  /** So many wait for a connection already that another one would wait too long. */
  | { readonly kind: 'pool-full'; readonly waiting: number }
  /** The caller's signal fired; the statement was cancelled on the server. */
  | { readonly kind: 'cancelled' }
  /** The driver is shutting down. */
  | { readonly kind: 'closed' };

/** What the drivers need of an AbortSignal: it is one, or something that costs a request less. */
export type CancelSignal = {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
};

export type ExecuteOptions = {
  /**
   * Whose work it is, where callers have to take turns: the embedded engine has one session. An account, or the address of a visitor; without one, it
   * is the program's own, which counts as one caller.
   */
  readonly caller?: string | undefined;
  /** A small question that a request cannot begin without: it goes before the work of all callers. */
  readonly isUrgent?: boolean;
  /** Fires when nobody waits for the answer any more: the running statement is cancelled, a queued one leaves the queue. */
  readonly signal?: CancelSignal;
  /** Set: it may be sent behind other batches on one connection. */
  readonly sharing?: Sharing;
  /**
   * How long the engine may be at it, where the database itself keeps no time (`statement_timeout` does on a server): then it fails with
   * 57014, as there.
   */
  readonly timeLimitMs?: number;
  /** Told when there is a connection, where somebody wants to know how long that took. */
  readonly onAcquired?: (() => void) | undefined;
};

/** Behind whom a batch may be sent: `any` that shares so, for one that only reads and waits for nobody's row; `same-statement`: batches of the same statement. */
export type Sharing = 'any' | 'same-statement';

export type BatchResult = Result<readonly StatementResult[], DbError>;

/** Several batches on one connection, for work that must look at rows before it commits. */
export type Session = {
  execute(batch: Batch): Promise<BatchResult>;
  /** As `Driver.script`, inside whatever transaction the session has open. */
  script(sql: string): Promise<Result<void, DbError>>;
  /** As `Driver.copyIn` and `Driver.copyOut`, inside whatever transaction the session has open. */
  copyIn(copy: string, feed: (sink: CopySink) => Promise<void>): Promise<Result<number, DbError>>;
  copyOut(copy: string, onChunk: (chunk: Buffer) => Promise<void> | void): Promise<Result<number, DbError>>;
  /** Closes the connection: it is in a state that nobody else may meet. */
  discard(why: string): void;
};

export type CopySink = {
  /** Feeds COPY … FROM STDIN; resolves when the server side can take more. The bytes are not copied: leave them as they are. */
  write(chunk: Uint8Array): Promise<void>;
};

export type PoolStats = {
  readonly max: number;
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
  /** How many have waited for a connection since the start, and how long together. */
  readonly waits: number;
  readonly waitedMs: number;
};

export type Notification = { readonly channel: string; readonly payload: string };

export type ListenEvent =
  | { readonly kind: 'listening' }
  | { readonly kind: 'notification'; readonly notification: Notification }
  | { readonly kind: 'lost'; readonly message: string; readonly retryInMs: number };

export type Listener = { close(): Promise<void> };

export type DecodeEvent =
  /** Whatever is committed from now on will be told; what was before has to be looked at. */
  | { readonly kind: 'following' }
  /** Committed, though perhaps not yet to be seen by others: the log tells of a transaction some moments before it ends. */
  | { readonly kind: 'transaction'; readonly transaction: DecodedTransaction }
  /** How many bytes of the server's log have not been read yet; told from time to time. */
  | { readonly kind: 'lag'; readonly bytes: number }
  | { readonly kind: 'lost'; readonly message: string; readonly retryInMs: number };

/** What an engine can do beyond what both do. */
export type Capabilities = {
  /** Send the rows of a COPY within a batch (`Statement.copied`). */
  readonly copy: boolean;
  /** Run statements of several callers at the same time. Otherwise callers take turns (`ExecuteOptions.caller`), and whoever waits is answered in the end. */
  readonly overlap: boolean;
  /** Be used by other programs, which change the database and notify us of it. */
  readonly share: boolean;
  /** Encode vector tiles (ST_AsMVT). */
  readonly encodeTiles: boolean;
};

export type Driver = {
  readonly engine: 'postgres' | 'pglite';
  readonly can: Capabilities;
  /** One batch on whichever connection is free. */
  execute(batch: Batch, options?: ExecuteOptions): Promise<BatchResult>;
  /** Holds one connection while `work` runs. A transaction that `work` leaves open, or throws out of, is rolled back before anyone else gets the connection. */
  hold<T>(work: (session: Session) => Promise<T>, options?: ExecuteOptions): Promise<Result<T, DbError>>;
  /** COPY … FROM STDIN inside a batch: `before` (scope), then the copy fed by `feed`, then Sync. Returns rows copied. */
  copyIn(
    before: Batch,
    copy: string,
    feed: (sink: CopySink) => Promise<void>,
    options?: ExecuteOptions,
  ): Promise<Result<number, DbError>>;
  /** COPY … TO STDOUT inside a batch; `onChunk` is awaited, so a slow reader slows the server down. */
  copyOut(
    before: Batch,
    copy: string,
    onChunk: (chunk: Buffer) => Promise<void> | void,
    options?: ExecuteOptions,
  ): Promise<Result<number, DbError>>;
  /** Several statements in one text without parameters (the simple-query protocol): one transaction, unless the text itself says otherwise; one it leaves open is rolled back. */
  script(sql: string): Promise<Result<void, DbError>>;
  /** LISTEN on a connection of its own, made again with back-off when it is lost. */
  listen(channel: string, onEvent: (event: ListenEvent) => void): Listener;
  /**
   * Changes of the tables of a publication by logical decoding, on a connection of its own that is made again with back-off when it is lost.
   * Absent: the engine has none.
   */
  readonly decode?: (publication: string, onEvent: (event: DecodeEvent) => void) => Listener;
  stats(): PoolStats;
  /** Closes the connections nobody uses, so that the next batches see new ones; running batches are left alone. */
  flushIdle(): void;
  /** Waits for running batches up to `deadlineMs`, then closes every connection. */
  close(deadlineMs?: number): Promise<void>;
};
