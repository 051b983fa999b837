// Rows off the wire → CSV: a line of names, then each row as PostgreSQL writes a record, without its parentheses.

import { GrowingBytes } from '../../kernel/growing-bytes.ts';
import type { ResultField, RowSink } from '../../pg/driver.ts';
import type { BodyRows } from './body-rows.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const NEWLINE = 0x0a;

/** What `record_out` puts in quotes. */
const QUOTED: readonly boolean[] = Array.from({ length: 256 }, (_, byte) =>
  [0x22, 0x5c, 0x28, 0x29, 0x2c, 0x20, 0x09, 0x0a, 0x0b, 0x0c, 0x0d].includes(byte),
);

export class CsvRows implements RowSink, BodyRows {
  count = 0;
  total: number | undefined;
  readonly isUnfit = false;
  isFull = false;
  readonly out: GrowingBytes;
  readonly #hidden: number;
  #columns = 0;
  #head = '';

  constructor(hasTotal: boolean, like = 0) {
    this.out = new GrowingBytes(like);
    this.#hidden = hasTotal ? 1 : 0;
  }

  begin(fields: readonly ResultField[]): void {
    this.count = 0;
    this.total = undefined;
    this.isFull = false;
    this.out.at = 0;
    this.#columns = fields.length - this.#hidden;
    this.#head = fields
      .slice(0, this.#columns)
      .map(({ name }) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
      .join(',');
  }

  /** What has no rows has no names either: they are those of the first row's keys. */
  finish(): void {
    if (this.count === 0) this.out.append(Buffer.from('\n'));
  }

  row(bytes: Buffer, start: number, end: number): void {
    const { out } = this;
    if (this.isFull) return;
    if (out.at > out.most) {
      this.isFull = true;
      out.drop();
      return;
    }
    if (this.count === 0) out.append(Buffer.from(this.#head));
    this.count += 1;
    // Every byte doubled and quotes around: no cell gets longer than that.
    out.reserve((end - start) * 2 + this.#columns * 3 + 1);
    const target = out.bytes;
    let at = out.at;
    target[at++] = NEWLINE;
    let from = start + 2;
    for (let column = 0; column < this.#columns; column++) {
      if (column > 0) target[at++] = COMMA;
      const length = bytes.readInt32BE(from);
      from += 4;
      if (length < 0) continue;
      const to = from + length;
      let isQuoted = length === 0;
      for (let i = from; i < to && !isQuoted; i++) isQuoted = QUOTED[bytes[i] as number] as boolean;
      if (isQuoted) target[at++] = QUOTE;
      for (let i = from; i < to; i++) {
        const byte = bytes[i] as number;
        if (byte === QUOTE || byte === 0x5c) target[at++] = byte;
        target[at++] = byte;
      }
      if (isQuoted) target[at++] = QUOTE;
      from = to;
    }
    out.at = at;
    if (this.#hidden > 0 && this.total === undefined) this.total = numberIn(bytes, from);
  }
}

/** A cell that holds a number. */
export function numberIn(bytes: Buffer, at: number): number {
  return Number(bytes.toString('latin1', at + 4, at + 4 + bytes.readInt32BE(at)));
}
