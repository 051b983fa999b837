// Shapes → the text of a path, as SVG writes it. The canvas reads a text of many shapes faster than it takes their corners one by
// one; and written into bytes it leaves nothing behind for the garbage collector.

/** Corners are written in tenths of a pixel, the way they came: whole numbers. */
export const UNIT = 10;

const [M, L, Z, SPACE, MINUS, ZERO] = [77, 76, 90, 32, 45, 48];
/** Room for the longest corner: a letter, two numbers with their signs, a space. */
const CORNER = 40;
/** Further out nothing is seen, and numbers stay short. */
const FAR = 1e9;

export class PathWriter {
  #bytes: Buffer = Buffer.allocUnsafe(16_384);
  #at = 0;

  get isEmpty(): boolean {
    return this.#at === 0;
  }

  add(parts: readonly ArrayLike<number>[], isRing: boolean): void {
    for (const part of parts) {
      this.#reserve((part.length / 2 + 1) * CORNER);
      // A ring ends where it began; closing it does the last side.
      const end = isRing ? part.length - 2 : part.length;
      for (let i = 0; i < end; i += 2) {
        this.#bytes[this.#at++] = i === 0 ? M : L;
        this.#number(part[i] ?? 0);
        this.#bytes[this.#at++] = SPACE;
        this.#number(part[i + 1] ?? 0);
      }
      if (isRing) this.#bytes[this.#at++] = Z;
    }
  }

  /** The text so far; the next one begins anew. */
  take(): string {
    const text = this.#bytes.toString('latin1', 0, this.#at);
    this.#at = 0;
    return text;
  }

  #number(value: number): void {
    let left = Math.round(value * UNIT);
    if (!(left < FAR)) left = FAR;
    if (left < 0) {
      this.#bytes[this.#at++] = MINUS;
      left = Math.min(FAR, -left);
    }
    let digits = 1;
    for (let size = 10; size <= left; size *= 10) digits++;
    this.#at += digits;
    for (let i = this.#at - 1; digits > 0; i--, digits--) {
      const rest = Math.floor(left / 10);
      this.#bytes[i] = ZERO + left - rest * 10;
      left = rest;
    }
  }

  #reserve(room: number): void {
    if (this.#at + room <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + room));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
