// Reads the change log for all live streams of the process: at once when it is notified, debounced, and every few seconds by polling in
// case notifications do not arrive (behind a transaction pooler, or while the connection that listens is away).
//
// Transactions that logical decoding tells of come to it, too, and are passed on with the first snapshot that sees them.
//
// What it cannot vouch for (a connection lost, a log not read for so long that others may have pruned it) it tells as a gap: then
// anything may have changed.

import { ok, type Result } from '../../kernel/result.ts';
import {
  CHANGE_CHANNEL,
  type ChangeBatch,
  currentPosition,
  readChanges,
  transactionFence,
} from '../../pg/change-log/change-log.ts';
import { haveEnded, parseSnapshot } from '../../pg/change-log/visible-in-snapshot.ts';
import type { DbError, Driver, Listener } from '../../pg/driver.ts';
import type { DecodedTransaction } from '../../pg/replication/decoded-transaction.ts';
import { KEPT_MS } from './change-pruner.ts';
import { DecodedQueue } from './decoded-queue.ts';

export type ReaderPace = {
  /** Between two readings, at least. */
  readonly debounceMs: number;
  readonly pollMs: number;
};

const READER_PACE: ReaderPace = { debounceMs: 20, pollMs: 2000 };

export type ChangeReaderOptions = {
  readonly driver: Driver;
  readonly pace?: ReaderPace;
  readonly now: () => number;
  readonly onChanges: (batch: Omit<ChangeBatch, 'position'>) => void;
  readonly onGap: () => void;
  /** Anything may have changed in tables that are followed by logical decoding. */
  readonly onDecodedGap: () => void;
  /** Undefined: it can be read again. */
  readonly onTrouble: (message: string | undefined) => void;
};

export class ChangeReader {
  readonly #options: ChangeReaderOptions;
  readonly #pace: ReaderPace;
  #listener: Listener | undefined;
  #position: string | undefined;
  #readAt = 0;
  #isReading = false;
  #isDue = false;
  #hasTrouble = false;
  #isHeard = false;
  #timer: NodeJS.Timeout | undefined;
  #starting: Promise<Result<void, DbError>> | undefined;
  #closed = false;
  readonly #decoded = new DecodedQueue();
  /** How often in a row decoded transactions were not to be seen yet. */
  #unseen = 0;
  #gapDue = false;
  /** Transactions up to there may have been committed before decoding began and be seen only later: then it is looked at everything again. */
  #fence: bigint | undefined;

  constructor(options: ChangeReaderOptions) {
    this.#options = options;
    this.#pace = options.pace ?? READER_PACE;
  }

  /** All changes up to there have been told; undefined: it has not begun. */
  get position(): string | undefined {
    return this.#position;
  }

  /** Whether the log can be read: where it cannot, nothing is told, and whoever waits for changes looks for them. */
  get isHeard(): boolean {
    return this.#isHeard;
  }

  /** Resolves when everything that is committed from now on will be told, or is known not to be for now. */
  start(): Promise<Result<void, DbError>> {
    if (this.#position !== undefined) return Promise.resolve(ok(undefined));
    this.#starting ??= this.#begin().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #begin(): Promise<Result<void, DbError>> {
    const { driver, now } = this.#options;
    const position = await currentPosition(driver);
    if (!position.ok) return position;
    this.#position = position.value;
    this.#readAt = now();
    // A role that may not read the log is told of no change, and nobody must believe that there was none.
    this.#isHeard = (await readChanges(driver, position.value)).ok;
    if (this.#closed) return ok(undefined);
    let wasLost = false;
    this.#listener ??= driver.listen(CHANGE_CHANNEL, (event) => {
      if (event.kind === 'lost') wasLost = true;
      else if (event.kind === 'notification') this.wake();
      else {
        if (wasLost) this.#options.onGap();
        wasLost = false;
        this.wake();
      }
    });
    this.#schedule(this.#pace.pollMs);
    return ok(undefined);
  }

  decoded(transaction: DecodedTransaction): void {
    if (!this.#decoded.add(transaction)) this.#gapDue = true;
    this.wake();
  }

  /** Decoding has begun anew, and has not told of what was before. */
  decodedGap(): void {
    this.#gapDue = true;
    this.wake();
  }

  wake(): void {
    this.#isDue = true;
    if (this.#isReading || this.#position === undefined) return;
    this.#schedule(Math.max(0, this.#readAt + this.#pace.debounceMs - this.#options.now()));
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#read(), ms);
  }

  async #read(): Promise<void> {
    const { driver, now, onChanges, onGap, onTrouble } = this.#options;
    const from = this.#position;
    if (this.#isReading || from === undefined) return;
    this.#isReading = true;
    this.#isDue = false;
    const began = now();
    const isGapDue = this.#gapDue;
    this.#gapDue = false;
    const fence = isGapDue ? await transactionFence(driver) : undefined;
    const read = fence?.ok === false ? fence : await readChanges(driver, from);
    this.#isReading = false;
    if (this.#closed) return;
    if (!read.ok) {
      this.#gapDue ||= isGapDue;
      this.#isHeard = false;
      if (!this.#hasTrouble) onTrouble('message' in read.error ? read.error.message : read.error.kind);
      this.#hasTrouble = true;
      this.#schedule(this.#pace.pollMs);
      return;
    }
    if (this.#hasTrouble) onTrouble(undefined);
    const wasAway = !this.#isHeard || began - this.#readAt > KEPT_MS / 2;
    this.#hasTrouble = false;
    this.#isHeard = true;
    this.#readAt = began;
    const { position, ...batch } = read.value;
    this.#position = position;
    if (fence?.ok === true) this.#fence = fence.value;
    const changes = [...batch.changes, ...this.#seenBy(position, isGapDue)];
    if (wasAway || batch.overflow) onGap();
    else if (changes.length > 0) onChanges({ ...batch, changes });
    this.#schedule(this.#nextInMs());
  }

  /** What decoding has told and the snapshot sees. */
  #seenBy(position: string, isGapDue: boolean): ChangeBatch['changes'] {
    const snapshot = parseSnapshot(position);
    if (snapshot === undefined) return [];
    const hasSettled = this.#fence !== undefined && haveEnded(this.#fence, snapshot);
    if (hasSettled) this.#fence = undefined;
    if (isGapDue || hasSettled) this.#options.onDecodedGap();
    const seen = this.#decoded.take(snapshot);
    this.#unseen = this.#decoded.size === 0 ? 0 : this.#unseen + 1;
    return seen;
  }

  #nextInMs(): number {
    const { debounceMs, pollMs } = this.#pace;
    if (this.#isDue || this.#gapDue) return debounceMs;
    return this.#unseen === 0 ? pollMs : Math.min(pollMs, debounceMs * 2 ** Math.min(this.#unseen, 10));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#listener?.close();
  }
}
