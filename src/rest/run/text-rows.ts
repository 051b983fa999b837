// Rows whose text the database has made → a body: only put together here.

import { GrowingBytes } from '../../kernel/growing-bytes.ts';
import type { RowSink } from '../../pg/driver.ts';
import type { BodyRows } from './body-rows.ts';
import { numberIn } from './csv-rows.ts';
import type { RowFrame } from './json-rows.ts';

export class TextRows implements RowSink, BodyRows {
  count = 0;
  total: number | undefined;
  readonly isUnfit = false;
  isFull = false;
  readonly out: GrowingBytes;
  readonly #frame: RowFrame;
  readonly #hasTotal: boolean;

  constructor(frame: RowFrame, hasTotal: boolean, like = 0) {
    this.out = new GrowingBytes(like);
    this.#frame = frame;
    this.#hasTotal = hasTotal;
  }

  begin(): void {
    this.count = 0;
    this.total = undefined;
    this.isFull = false;
    this.out.at = 0;
    this.out.append(this.#frame.open);
  }

  finish(): void {
    this.out.append(this.#frame.close);
  }

  row(bytes: Buffer, start: number): void {
    const { out } = this;
    if (this.isFull) return;
    if (out.at > out.most) {
      this.isFull = true;
      out.drop();
      return;
    }
    const { before, between, after } = this.#frame;
    if (this.count > 0) out.append(between);
    this.count += 1;
    const length = bytes.readInt32BE(start + 2);
    const from = start + 6;
    out.append(before);
    out.append(length < 0 ? NULL : bytes.subarray(from, from + length));
    out.append(after);
    if (this.#hasTotal && this.total === undefined) this.total = numberIn(bytes, from + Math.max(0, length));
  }
}

const NULL = Buffer.from('null');
