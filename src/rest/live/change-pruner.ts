// Prunes the change log, whether anybody listens or not: tables that are followed go on writing into it. Entries are removed some minutes
// after their transaction has ended; who has not read for longer takes it for a gap.

import { ok, type Result } from '../../kernel/result.ts';
import { positionOfLog, pruneChanges } from '../../pg/change-log/change-log.ts';
import type { DbError, Driver } from '../../pg/driver.ts';

/** Entries are kept for so long, at least. */
export const KEPT_MS = 300_000;
const EVERY_MS = KEPT_MS / 10;

export class ChangePruner {
  readonly #driver: Pick<Driver, 'execute'>;
  readonly #now: () => number;
  readonly #onTrouble: (message: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #past: { readonly at: number; readonly position: string }[] = [];
  #hasTold = false;

  constructor(driver: Pick<Driver, 'execute'>, now: () => number, onTrouble: (message: string) => void) {
    this.#driver = driver;
    this.#now = now;
    this.#onTrouble = onTrouble;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.prune(), EVERY_MS).unref();
  }

  /** How many entries were removed. */
  async prune(): Promise<Result<number, DbError>> {
    const at = this.#now();
    const position = await positionOfLog(this.#driver);
    if (!position.ok) return position;
    // Nothing is followed in this database.
    if (position.value === undefined) return ok(0);
    this.#past.push({ at, position: position.value });
    const old = this.#past.findLast((one) => at - one.at >= KEPT_MS);
    if (old === undefined) return ok(0);
    this.#past = this.#past.filter((one) => one.at >= old.at);
    const pruned = await pruneChanges(this.#driver, old.position);
    if (pruned.ok) this.#hasTold = false;
    else if (pruned.error.kind === 'sql' && !this.#hasTold) {
      this.#hasTold = true;
      this.#onTrouble(pruned.error.message);
    }
    return pruned;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
