// A byte buffer that grows as it is written: what sinks of rows write bodies into.

import { giveBytes, takeBytes } from './spare-bytes.ts';

const FIRST = 1024;
const NOTHING = Buffer.alloc(0);
/** Memory beyond this is given back where less than a quarter of it was written: an answer may wait for its client with it. */
const SMALL = 16 * 1024;
/** No more than this is taken beforehand; whoever needs more grows. */
const MAX_BEFOREHAND = 512 * 1024;

/** The longest body that is held in memory as a whole, about; a longer one is streamed. */
export const HELD_BYTES: number = 4 * 1024 * 1024;

export type PooledBody = {
  readonly body: Buffer;
  /** For whoever was the last to read it, and only once. Uncalled, the memory is collected as any other. */
  readonly onSent?: () => void;
};

export class GrowingBytes {
  bytes: Buffer = NOTHING;
  /** Where the next byte goes. */
  at = 0;
  /** Beyond this it is too much for one piece of memory. */
  most: number = HELD_BYTES;
  #first: number;

  /** `like`: what the last body of its kind had. If this has as many, it never grows, and nothing is copied. */
  constructor(like = 0) {
    this.#first = sizeLike(like);
  }

  /** Room for so many more bytes; `bytes` may be another buffer afterwards. */
  reserve(more: number): void {
    const needed = this.at + more;
    if (needed <= this.bytes.length) return;
    const smaller = this.bytes;
    const larger = takeBytes(Math.max(needed, smaller.length * 2, this.#first));
    smaller.copy(larger, 0, 0, this.at);
    this.bytes = larger;
    giveBytes(smaller);
  }

  drop(): void {
    giveBytes(this.bytes);
    this.bytes = NOTHING;
    this.at = 0;
    this.#first = FIRST;
  }

  append(part: Uint8Array): void {
    this.reserve(part.length);
    this.bytes.set(part, this.at);
    this.at += part.length;
  }

  /** What was written, as a view; the next bytes go to memory of their own, as much as these took. */
  take(): Buffer {
    const { bytes, at } = this;
    const taken = bytes.subarray(0, at);
    this.bytes = NOTHING;
    this.at = 0;
    this.#first = sizeLike(at);
    return bytes.length > SMALL && at < bytes.length / 4 ? Buffer.from(taken) : taken;
  }

  /** The same; its memory is used again once it was sent. */
  lend(): PooledBody {
    const { bytes } = this;
    const body = this.take();
    return body.buffer === bytes.buffer ? { body, onSent: () => giveBytes(bytes) } : { body };
  }
}

function sizeLike(bytes: number): number {
  return Math.max(FIRST, Math.min(MAX_BEFOREHAND, bytes + (bytes >> 3)));
}
