// A byte buffer that grows as it is written: what sinks of rows write bodies into.

const FIRST = 1024;

/** The longest body that is held in memory as a whole, about; a longer one is streamed. */
export const HELD_BYTES: number = 4 * 1024 * 1024;

export class GrowingBytes {
  bytes: Buffer;
  /** Where the next byte goes. */
  at = 0;
  /** Beyond this it is too much for one piece of memory. */
  most: number = HELD_BYTES;

  constructor(size: number = FIRST) {
    this.bytes = Buffer.allocUnsafe(size);
  }

  /** Room for so many more bytes; `bytes` may be another buffer afterwards. */
  reserve(more: number): void {
    const needed = this.at + more;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }

  drop(): void {
    this.take();
  }

  append(part: Uint8Array): void {
    this.reserve(part.length);
    this.bytes.set(part, this.at);
    this.at += part.length;
  }

  /** What was written, as a view; the next bytes go to memory of their own. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.at);
    this.bytes = Buffer.allocUnsafe(FIRST);
    this.at = 0;
    return taken;
  }
}
