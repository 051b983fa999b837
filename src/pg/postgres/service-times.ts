// How long the server takes for each prepared statement, as seen lately: what decides whether batches may share.

/** A statement that takes longer is not one to stand behind. */
const QUICK_MS = 3;
/** One surprise of this length counts at once, and not little by little. */
const SLOW_MS = 20;
/** Down quickly and up slowly: a busy machine makes everything look slow, and sharing less would make it busier still. */
const DOWN = 0.3;
const UP = 0.03;
const MAX_NAMES = 4096;

export class ServiceTimes {
  readonly #ms = new Map<string, number>();

  note(name: string, ms: number): void {
    const before = this.#ms.get(name);
    if (before === undefined && this.#ms.size >= MAX_NAMES) this.#ms.clear();
    if (before === undefined || ms > SLOW_MS) this.#ms.set(name, ms);
    else this.#ms.set(name, before + (ms - before) * (ms < before ? DOWN : UP));
  }

  /** Undefined: not known to be quick. */
  quick(name: string): number | undefined {
    const ms = this.#ms.get(name);
    return ms !== undefined && ms < QUICK_MS ? ms : undefined;
  }
}
