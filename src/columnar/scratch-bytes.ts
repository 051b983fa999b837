// Memory that is written batch after batch, and grows to what the largest of them takes. Batches that make new memory leave it to the garbage collector,
// which lets tens of megabytes come together before it looks.

const FIRST = 256;
/** More is given back after the batch: one cell of a gigabyte is no reason to hold one until the answer ends. */
const MAX_KEPT = 4 * 1024 * 1024;

export class ScratchBytes {
  bytes: Buffer = Buffer.alloc(0);
  view: DataView = viewOf(this.bytes);
  /** Where the next byte goes. */
  at = 0;

  /** Room for so many more bytes, whatever is in it; `bytes` and `view` may be others afterwards. */
  reserve(more: number): void {
    const needed = this.at + more;
    if (needed > this.bytes.length) this.#grow(needed);
  }

  written(): Buffer {
    return this.bytes.subarray(0, this.at);
  }

  clear(): void {
    this.at = 0;
    if (this.bytes.length <= MAX_KEPT) return;
    this.bytes = Buffer.alloc(0);
    this.view = viewOf(this.bytes);
  }

  #grow(needed: number): void {
    // Not of the pool that small buffers share: this one stays.
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2, FIRST));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
    this.view = viewOf(larger);
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
