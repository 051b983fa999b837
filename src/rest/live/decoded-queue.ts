// Transactions that were decoded, held until a snapshot sees them: the server's log tells of a commit some moments before others see what it did (longer
// where commits wait for a synchronous standby), and whoever read the rows in between would read them as they were.

import type { Change } from '../../pg/change-log/change-log.ts';
import { isVisible, type Snapshot } from '../../pg/change-log/visible-in-snapshot.ts';
import type { DecodedTransaction } from '../../pg/replication/decoded-transaction.ts';

const MAX_WAITING = 5000;

export class DecodedQueue {
  #waiting: DecodedTransaction[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  /** False: there are too many, and all are forgotten; anything may have changed. */
  add(transaction: DecodedTransaction): boolean {
    this.#waiting.push(transaction);
    if (this.#waiting.length <= MAX_WAITING) return true;
    this.#waiting = [];
    return false;
  }

  /** Those that the snapshot sees, and no longer here. */
  take(snapshot: Snapshot): readonly Change[] {
    const seen: Change[] = [];
    const waiting: DecodedTransaction[] = [];
    for (const one of this.#waiting) {
      if (isVisible(one.xid, snapshot)) seen.push(...one.changes);
      else waiting.push(one);
    }
    this.#waiting = waiting;
    return seen;
  }
}
