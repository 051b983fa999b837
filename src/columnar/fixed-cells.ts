// Cells of an Arrow column whose values are all as long: one after the other, zeros where there is none.

import type { ArrowCells } from './arrow-cells.ts';
import { Presence } from './presence.ts';
import { ScratchBytes } from './scratch-bytes.ts';

/** Writes the value of a cell at `at`. False: the type has no such value (infinity of a date). */
export type Put = (view: DataView, at: number, bytes: Buffer, from: number, to: number) => boolean;

export class FixedCells implements ArrowCells {
  readonly presence: Presence = new Presence();
  readonly #values = new ScratchBytes();
  readonly #width: number;
  readonly #put: Put;

  constructor(width: number, put: Put) {
    this.#width = width;
    this.#put = put;
  }

  add(bytes: Buffer, from: number, to: number): void {
    const values = this.#values;
    values.reserve(this.#width);
    if (!this.#put(values.view, values.at, bytes, from, to)) {
      this.addNull();
      return;
    }
    values.at += this.#width;
    this.presence.push(true);
  }

  addNull(): void {
    const values = this.#values;
    values.reserve(this.#width);
    // What this memory held before is nobody's to read.
    for (const end = values.at + this.#width; values.at < end; values.at++) values.bytes[values.at] = 0;
    this.presence.push(false);
  }

  buffers(): readonly Uint8Array[] {
    return [this.#values.written()];
  }

  clear(): void {
    this.presence.clear();
    this.#values.clear();
  }
}
