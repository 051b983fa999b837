// Cells of an Arrow column that have any length: one after the other, and where each begins in 32 bits.
//
// These cannot overflow: a batch ends with the row that makes it a megabyte, and the wire has no row beyond one gigabyte (`pg/wire/message-frames.ts`).

import type { ArrowCells } from './arrow-cells.ts';
import { Presence } from './presence.ts';
import { ScratchBytes } from './scratch-bytes.ts';

/** Writes a cell into memory that has as much room as it takes on the wire; returns where it ends. */
export type Decode = (target: Buffer, at: number, bytes: Buffer, from: number, to: number) => number;

export class VariableCells implements ArrowCells {
  readonly presence: Presence = new Presence();
  protected readonly data: ScratchBytes = new ScratchBytes();
  protected readonly offsets: ScratchBytes = new ScratchBytes();
  readonly #decode: Decode;

  constructor(decode: Decode) {
    this.#decode = decode;
    this.#tellEnd();
  }

  add(bytes: Buffer, from: number, to: number): void {
    const { data } = this;
    data.reserve(to - from);
    data.at = this.#decode(data.bytes, data.at, bytes, from, to);
    this.#tellEnd();
    this.presence.push(true);
  }

  addNull(): void {
    this.#tellEnd();
    this.presence.push(false);
  }

  buffers(): readonly Uint8Array[] {
    return [this.offsets.written(), this.data.written()];
  }

  clear(): void {
    this.presence.clear();
    this.data.clear();
    this.offsets.clear();
    this.#tellEnd();
  }

  #tellEnd(): void {
    this.offsets.reserve(4);
    this.offsets.view.setInt32(this.offsets.at, this.data.at, true);
    this.offsets.at += 4;
  }
}
