// Tables that are followed by logical decoding, for all live streams of the process: begun with the first stream that needs it. Where it does not work
// (no right to it, no slot left, a connection that is lost) it says so once, goes on trying, and streams of such tables are read as a whole every
// few seconds meanwhile: later, but nothing is lost.

import type { Observe } from '../../kernel/observation.ts';
import { PUBLICATION } from '../../pg/change-log/install-change-log.ts';
import type { DecodeEvent, Driver, Listener } from '../../pg/driver.ts';
import type { DecodedTransaction } from '../../pg/replication/decoded-transaction.ts';

export type DecodingFeedOptions = {
  readonly driver: Driver;
  readonly observe: Observe;
  readonly onTransaction: (transaction: DecodedTransaction) => void;
  /** From now on transactions are told; before, some may have been missed. */
  readonly onFollowing: () => void;
};

/** How long a stream waits for its beginning: a slot is made when transactions under way have ended, which may take any time. */
const PATIENCE_MS = 2000;

export class DecodingFeed {
  readonly #options: DecodingFeedOptions;
  #listener: Listener | undefined;
  #isFollowing = false;
  #settled: Promise<void> | undefined;
  #settle: () => void = () => {};
  #trouble: string | undefined;

  constructor(options: DecodingFeedOptions) {
    this.#options = options;
  }

  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** Begins, if it has not. Resolves when it works, or is known not to for now. */
  ready(): Promise<void> {
    this.#settled ??= this.#begin();
    return this.#settled;
  }

  #begin(): Promise<void> {
    const { driver, observe } = this.#options;
    if (driver.decode === undefined) {
      observe({ kind: 'live-decoding', message: 'this engine has no logical decoding' });
      return Promise.resolve();
    }
    const settled = new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.#tell('the slot waits for transactions that are under way');
        resolve();
      }, PATIENCE_MS);
      this.#settle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#listener = driver.decode(PUBLICATION, (event) => this.#on(event));
    return settled;
  }

  #on(event: DecodeEvent): void {
    switch (event.kind) {
      case 'transaction':
        this.#options.onTransaction(event.transaction);
        break;
      case 'lag':
        this.#options.observe({ kind: 'live-decoding-lag', bytes: event.bytes });
        break;
      case 'following':
        this.#isFollowing = true;
        this.#tell(undefined);
        this.#options.onFollowing();
        this.#settle();
        break;
      case 'lost':
        this.#isFollowing = false;
        this.#tell(event.message);
        this.#settle();
        break;
    }
  }

  /** Tries that fail in the same way are told once. */
  #tell(message: string | undefined): void {
    if (message !== undefined && message === this.#trouble) return;
    this.#trouble = message;
    this.#options.observe({ kind: 'live-decoding', message });
  }

  async close(): Promise<void> {
    this.#settle();
    await this.#listener?.close();
  }
}
