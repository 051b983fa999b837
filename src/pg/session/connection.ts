// One connection after its handshake: bytes out, one Outcome back, one round trip at a time, or batches pipelined (`follow`).
//
// The socket comes from pg's Client, whose own reader has been taken off it. Who uses the connection when, and whether
// it may be used again, is decided by the pool and the driver.

import type { Batch, Notification } from '../driver.ts';
import { ByteWriter } from '../wire/byte-writer.ts';
import { encodeCopyFail, encodeScript, TERMINATE } from '../wire/control-messages.ts';
import { SYNC, writeBatch } from '../wire/encode-batch.ts';
import type { PreparedStatements } from '../wire/prepared-statements.ts';
import { type Failure, type Reply, ReplyReader, type TransactionStatus } from '../wire/reply-reader.ts';
import { type ReadBytes, readStream, type Socket } from './byte-source.ts';

export type Outcome =
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** The connection is gone; `failure` is what the server said before it hung up, if it did. */
  | { readonly kind: 'lost'; readonly message: string; readonly failure: Failure | null };

/** What a round trip needs beyond its reply. */
export type ReplyHooks = {
  onComplete?(count: number): void;
  onCopyIn?(): void;
  onCopyData?(bytes: Buffer): void;
  /** All messages of one chunk from the socket have been read. */
  onChunkEnd?(): void;
  onFailure?(failure: Failure): void;
};

type PendingReply = {
  readonly settle: (outcome: Outcome) => void;
  readonly asked: Batch | 'script';
  readonly hooks: ReplyHooks;
};

export type ConnectionOptions = {
  readonly prepared: PreparedStatements;
  /** A round trip in which the server says nothing for so long is given up. */
  readonly batchTimeoutMs: number | undefined;
  /** Told before a silent server is given up, while its backend may still be at work. */
  readonly onSilence?: () => void;
  /** A quicker road to the socket's bytes than its `data` events. */
  readonly read?: ReadBytes | undefined;
};

const NO_HOOKS: ReplyHooks = {};
const GOODBYE_MS = 1000; // a server that was stopped does not close its side; we do not wait for it longer than this

export class Connection {
  readonly prepared: PreparedStatements;
  readonly bornAt: number = performance.now();
  /** When it was last given back to the pool. */
  idleSince = 0;
  /** How often the server did not know what this connection had prepared. */
  statementsGone = 0;
  status: TransactionStatus = 'I';
  onEnd: (message: string) => void = () => {};
  onNotification: (notification: Notification) => void = () => {};
  readonly #socket: Socket;
  readonly #reader: ReplyReader;
  readonly #batchTimeoutMs: number | undefined;
  readonly #tellSilence: () => void;
  #pending: PendingReply | null = null;
  /** Batches sent, or about to be, behind the one whose answer comes next. */
  readonly #behind: PendingReply[] = [];
  /** Batches not yet sent. */
  readonly #unsent = new ByteWriter();
  #willSend = false;
  #patient = false;
  #fatal: Failure | null = null;
  #endMessage: string | null = null;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.prepared = options.prepared;
    this.#batchTimeoutMs = options.batchTimeoutMs;
    this.#tellSilence = options.onSilence ?? (() => {});
    this.#reader = new ReplyReader(options.prepared, {
      onReply: (reply) => this.#onReply(reply),
      onFatal: (failure) => this.#onFatal(failure),
      onFailure: (failure) => this.#pending?.hooks.onFailure?.(failure),
      onComplete: (count) => this.#pending?.hooks.onComplete?.(count),
      onCopyIn: (statement) => this.#onCopyIn(statement),
      onCopyData: (bytes) => this.#pending?.hooks.onCopyData?.(bytes),
      onNotification: (notification) => this.onNotification(notification),
    });
    socket.on('error', (error: Error) => this.destroy(error.message));
    socket.on('close', () => this.destroy('the server closed the connection'));
    if (options.batchTimeoutMs !== undefined) {
      socket.setTimeout(options.batchTimeoutMs);
      socket.on('timeout', () => this.#onSilence());
    }
    const read = options.read ?? readStream(socket);
    read((bytes, lasting) => this.#onBytes(bytes, lasting));
  }

  get isOpen(): boolean {
    return this.#endMessage === null;
  }

  get isBusy(): boolean {
    return this.#pending !== null;
  }

  get socket(): Socket {
    return this.#socket;
  }

  execute(batch: Batch): Promise<Outcome> {
    return new Promise((resolve) => this.start(batch, resolve));
  }

  /** `execute` for the hot path: `settle` is called once, in the turn in which the answer is complete. */
  start(batch: Batch, settle: (outcome: Outcome) => void): void {
    // Nothing may count as sent that is not.
    if (this.#endMessage !== null) {
      settle(this.#lost(this.#endMessage));
      return;
    }
    if (this.#pending !== null) throw new Error('the connection is busy');
    writeBatch(this.#unsent, batch, this.prepared);
    this.#pending = { settle, asked: batch, hooks: NO_HOOKS };
    this.#reader.expect(batch);
    this.#sendAll();
  }

  /**
   * Sends a batch behind those under way, without waiting for their answers. All that come in one turn of the event loop
   * go out in one write: the server then finds the next one waiting instead of going to sleep and being woken, which on
   * small batches is half of the work on both sides.
   */
  follow(batch: Batch, settle: (outcome: Outcome) => void): void {
    if (this.#endMessage !== null) {
      settle(this.#lost(this.#endMessage));
      return;
    }
    writeBatch(this.#unsent, batch, this.prepared);
    const pending: PendingReply = { settle, asked: batch, hooks: NO_HOOKS };
    if (this.#pending === null) {
      this.#pending = pending;
      this.#reader.expect(batch);
    } else this.#behind.push(pending);
    if (this.#willSend) return;
    this.#willSend = true;
    setImmediate(this.#sendAll);
  }

  readonly #sendAll = (): void => {
    this.#willSend = false;
    this.#unsent.lend((chunks) => {
      if (this.#endMessage === null) this.write(chunks);
      // What the system took at once is nobody's any more; the rest the socket still reads.
      return this.#socket.writableLength === 0;
    });
  };

  script(sql: string): Promise<Outcome> {
    return this.roundTrip([encodeScript(sql)], 'script');
  }

  /** Writes the chunks and resolves at the ReadyForQuery they lead to, or at the end of the connection. Never rejects. */
  roundTrip(
    chunks: readonly Uint8Array[],
    asked: PendingReply['asked'],
    hooks: ReplyHooks = NO_HOOKS,
  ): Promise<Outcome> {
    return new Promise((resolve) => this.#begin(chunks, asked, hooks, resolve));
  }

  #begin(
    chunks: readonly Uint8Array[],
    asked: PendingReply['asked'],
    hooks: ReplyHooks,
    settle: (outcome: Outcome) => void,
  ): void {
    if (this.#pending !== null) throw new Error('the connection is busy');
    if (this.#endMessage !== null) {
      settle(this.#lost(this.#endMessage));
      return;
    }
    this.#pending = { settle, asked, hooks };
    if (asked !== 'script') this.#reader.expect(asked);
    this.write(chunks);
  }

  /** Returns false when the caller should wait for the socket to drain. */
  write(chunks: readonly Uint8Array[]): boolean {
    const [first] = chunks;
    if (first !== undefined && chunks.length === 1) return this.#socket.write(first);
    this.#socket.cork();
    for (const chunk of chunks) this.#socket.write(chunk);
    this.#socket.uncork();
    return !this.#socket.writableNeedDrain;
  }

  /** While set, it is we who make the server wait, and its silence means nothing. */
  set patient(patient: boolean) {
    this.#patient = patient;
  }

  /** Says goodbye; resolves when the socket is closed, by the server or, if it does not, by us. */
  async close(message: string): Promise<void> {
    if (this.#endMessage !== null) return;
    const closed = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()));
    this.#endMessage = message;
    this.#socket.end(TERMINATE);
    const timer = setTimeout(() => this.#socket.destroy(), GOODBYE_MS);
    this.onEnd(message);
    this.#settle(this.#lost(message));
    await closed;
    clearTimeout(timer);
  }

  destroy(message: string): void {
    if (this.#endMessage !== null) return;
    this.#endMessage = message;
    this.#socket.destroy();
    this.onEnd(message);
    this.#settle(this.#lost(message));
  }

  #onBytes(bytes: Buffer, lasting: boolean): void {
    try {
      this.#reader.feed(bytes, lasting);
    } catch (error) {
      this.destroy(error instanceof Error ? error.message : String(error));
      return;
    }
    this.#pending?.hooks.onChunkEnd?.();
  }

  #onReply(reply: Reply): void {
    this.status = reply.status;
    const asked = this.#pending?.asked;
    // One answer too many or too few, and from then on everybody would read the answers of somebody else.
    if (
      asked === undefined ||
      (reply.failure === null && asked !== 'script' && asked.length !== reply.results.length)
    ) {
      this.destroy('the server answered something else than was asked');
      return;
    }
    // Those behind would run inside a transaction that is not theirs.
    if (reply.status !== 'I' && this.#behind.length > 0) {
      this.destroy('a batch left its transaction open before others');
      return;
    }
    this.#pending?.hooks.onChunkEnd?.();
    this.#settle({ kind: 'reply', reply });
  }

  #onFatal(failure: Failure): void {
    this.#fatal = failure;
    this.destroy(failure.error.message);
  }

  #onCopyIn(statement: number): void {
    const pending = this.#pending;
    if (pending?.hooks.onCopyIn !== undefined) {
      pending.hooks.onCopyIn();
      return;
    }
    // Its rows have been sent.
    if (pending !== null && pending.asked !== 'script' && pending.asked[statement]?.copied !== undefined) return;
    // COPY … FROM STDIN where nobody has data for it. While the server waits for data it skips Sync, so at the end of a
    // batch it needs another one; a script is answered without. Further up in a batch, the message that follows is
    // not COPY data, and the server has failed the batch over it by itself: anything we sent would be one too many.
    const fail = encodeCopyFail('COPY FROM STDIN has no data here');
    if (pending?.asked === 'script') this.write([fail]);
    else if (pending?.asked.length === statement + 1) this.write([fail, SYNC]);
  }

  #onSilence(): void {
    if (this.#pending === null || this.#patient) return;
    this.#tellSilence();
    this.destroy(`the server was silent for ${this.#batchTimeoutMs} ms`);
  }

  #settle(outcome: Outcome): void {
    const pending = this.#pending;
    this.#patient = false;
    this.#pending = this.#behind.shift() ?? null;
    if (outcome.kind === 'lost') {
      // The connection took all of them with it.
      const behind = this.#pending === null ? [] : [this.#pending, ...this.#behind.splice(0)];
      this.#pending = null;
      pending?.settle(outcome);
      for (const one of behind) one.settle(outcome);
      return;
    }
    if (this.#pending !== null && this.#pending.asked !== 'script') this.#reader.expect(this.#pending.asked);
    pending?.settle(outcome);
  }

  #lost(message: string): Outcome {
    return { kind: 'lost', message, failure: this.#fatal };
  }
}
