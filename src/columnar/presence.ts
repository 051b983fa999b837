// Which cells of an Arrow column there are: a bit for each, eight to a byte, the first in the lowest.

import { ScratchBytes } from './scratch-bytes.ts';

export class Bits {
  readonly #scratch = new ScratchBytes();
  #count = 0;

  push(isSet: boolean): void {
    const scratch = this.#scratch;
    const bit = this.#count++ & 7;
    if (bit === 0) {
      scratch.reserve(1);
      scratch.bytes[scratch.at++] = 0;
    }
    if (isSet) scratch.bytes[scratch.at - 1] = (scratch.bytes[scratch.at - 1] as number) | (1 << bit);
  }

  written(): Uint8Array {
    return this.#scratch.written();
  }

  clear(): void {
    this.#scratch.clear();
    this.#count = 0;
  }
}

const NONE = new Uint8Array(0);

export class Presence {
  rows = 0;
  nulls = 0;
  readonly #bits = new Bits();

  push(isThere: boolean): void {
    this.rows++;
    if (!isThere) this.nulls++;
    this.#bits.push(isThere);
  }

  /** Where all cells are there, Arrow needs no bits. */
  written(): Uint8Array {
    return this.nulls === 0 ? NONE : this.#bits.written();
  }

  clear(): void {
    this.rows = 0;
    this.nulls = 0;
    this.#bits.clear();
  }
}
