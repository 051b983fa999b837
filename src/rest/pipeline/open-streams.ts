// The streamed answers that are under way, so that what has changed since they began reaches them: each ends when its token expires; and when a
// new schema or new settings are in force, and every now and then, each is asked about again, as its caller. A grant that is gone, or a token
// that was revoked, ends it.

import type { Readable } from 'node:stream';

export type StreamCut = 'expired' | 'no-longer-allowed';

export type StreamTerms = {
  /** When the token expires, in milliseconds since 1970; undefined: it does not. */
  readonly expiresAt: number | undefined;
  /** Whether the caller may still read what is being sent. */
  readonly mayGoOn: () => Promise<boolean>;
  readonly onCut: (why: StreamCut) => void;
};

/** Timers of Node hold no longer time. */
const LONGEST_MS = 2 ** 31 - 1;

export class OpenStreams {
  readonly #open = new Map<Readable, StreamTerms>();
  readonly #now: () => number;
  readonly #everyMs: () => number;
  #timer: NodeJS.Timeout | undefined;

  /** `everyMs`: how long to wait between two looks at what is under way. */
  constructor(now: () => number, everyMs: () => number) {
    this.#now = now;
    this.#everyMs = everyMs;
  }

  add(stream: Readable, terms: StreamTerms): void {
    this.#open.set(stream, terms);
    this.#lookLater();
    const timer =
      terms.expiresAt === undefined
        ? undefined
        : setTimeout(
            () => this.#cut(stream, 'expired'),
            Math.min(LONGEST_MS, Math.max(0, terms.expiresAt - this.#now())),
          ).unref();
    stream.once('close', () => {
      clearTimeout(timer);
      this.#open.delete(stream);
    });
  }

  /** One after the other: they are to be few, and nobody waits for it. */
  async recheck(): Promise<void> {
    for (const [stream, { mayGoOn }] of [...this.#open]) {
      if (!this.#open.has(stream)) continue;
      if (!(await mayGoOn())) this.#cut(stream, 'no-longer-allowed');
    }
  }

  #lookLater(): void {
    if (this.#timer !== undefined || this.#open.size === 0) return;
    this.#timer = setTimeout(async () => {
      await this.recheck();
      this.#timer = undefined;
      this.#lookLater();
    }, this.#everyMs()).unref();
  }

  /** Its connection ends without the end of the answer, so that nobody takes a part for the whole. */
  #cut(stream: Readable, why: StreamCut): void {
    const terms = this.#open.get(stream);
    if (terms === undefined || stream.destroyed) return;
    this.#open.delete(stream);
    terms.onCut(why);
    stream.destroy(new Error(why === 'expired' ? 'the token has expired' : 'the caller may no longer read this'));
  }
}
