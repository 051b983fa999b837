// How long the server takes for each prepared statement, as seen lately: what decides whether flights may share.

/** A statement that takes longer is not one to stand behind. */
const QUICK_MS = 3;
/** One surprise of this length counts at once, and not little by little. */
const SLOW_MS = 20;
const WEIGHT = 0.1;
const MAX_NAMES = 4096;

export class ServiceTimes {
  readonly #ms = new Map<string, number>();

  note(name: string, ms: number): void {
    const before = this.#ms.get(name);
    if (before === undefined && this.#ms.size >= MAX_NAMES) this.#ms.clear();
    this.#ms.set(name, before === undefined || ms > SLOW_MS ? ms : before + (ms - before) * WEIGHT);
  }

  /** Undefined: not known to be quick. */
  quick(name: string): number | undefined {
    const ms = this.#ms.get(name);
    return ms !== undefined && ms < QUICK_MS ? ms : undefined;
  }
}
