// The line of batches that wait for room on shared connections, though others are idle: see `Pipelines`. Each kind has its own.

import type { Batch, Sharing } from '../driver.ts';
import type { Connected } from '../session/connected.ts';

export type Waiting = {
  readonly batch: Batch;
  readonly sharing: Sharing;
  /** Called once, with the connection to follow on; undefined: it is to look for one elsewhere. */
  readonly go: (connected: Connected | undefined) => void;
};

/** A line that has not moved for so long waits for something slow: whoever stands in it looks elsewhere. */
const STILL_MS = 20;
/** Nobody stands in it longer, however it moves. */
const PATIENCE_MS = 1000;

type Line = { readonly waiting: Map<Waiting, number>; movedAt: number };

export class PipelineQueues {
  readonly #lines = new Map<string | undefined, Line>();
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    let size = 0;
    for (const { waiting } of this.#lines.values()) size += waiting.size;
    return size;
  }

  has(kind: string | undefined): boolean {
    return this.#lines.size > 0 && this.#lines.has(kind);
  }

  first(kind: string | undefined): Waiting | undefined {
    return this.#lines.size === 0 ? undefined : this.#lines.get(kind)?.waiting.keys().next().value;
  }

  add(kind: string | undefined, waiting: Waiting): void {
    const now = this.#now();
    let line = this.#lines.get(kind);
    if (line === undefined) {
      line = { waiting: new Map(), movedAt: now };
      this.#lines.set(kind, line);
    }
    line.waiting.set(waiting, now);
    this.#timer ??= this.#lookLater();
  }

  /** Takes it out of the line, in its turn or not; false: it is not in it any more. */
  remove(kind: string | undefined, waiting: Waiting): boolean {
    const line = this.#lines.get(kind);
    if (line?.waiting.delete(waiting) !== true) return false;
    line.movedAt = this.#now();
    if (line.waiting.size === 0) this.#lines.delete(kind);
    return true;
  }

  /** Replies that have arrived are read first: where this process was busy itself, the line only seems to stand still. */
  #lookLater(): NodeJS.Timeout {
    return setTimeout(() => setImmediate(() => this.#look()), STILL_MS).unref();
  }

  #look(): void {
    this.#timer = undefined;
    const now = this.#now();
    for (const [kind, { waiting, movedAt }] of this.#lines) {
      const isStill = now - movedAt >= STILL_MS;
      for (const [one, since] of waiting) {
        if (!isStill && now - since < PATIENCE_MS) break;
        this.remove(kind, one);
        one.go(undefined);
      }
    }
    if (this.#lines.size > 0) this.#timer ??= this.#lookLater();
  }
}
