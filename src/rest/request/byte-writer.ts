// Bytes of unknown number, appended one after the other.

/** Below this a loop is faster than a view and a call. */
const SHORT = 64;

export class ByteWriter {
  private buffer: Buffer;
  private length = 0;

  constructor(expected: number) {
    this.buffer = Buffer.allocUnsafe(Math.max(expected, 64));
  }

  byte(byte: number): void {
    this.reserve(1);
    this.buffer[this.length++] = byte;
  }

  /** `source[from..to)`. */
  copy(source: Uint8Array, from = 0, to: number = source.length): void {
    const count = to - from;
    this.reserve(count);
    if (count > SHORT) {
      this.buffer.set(source.subarray(from, to), this.length);
      this.length += count;
      return;
    }
    const { buffer } = this;
    let at = this.length;
    for (let i = from; i < to; i++) buffer[at++] = source[i] as number;
    this.length = at;
  }

  get size(): number {
    return this.length;
  }

  done(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + more));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}
