// Rows off the wire → batches of columns, for formats that are written column by column (Arrow, Parquet). A batch is gathered as values and
// written when it is large enough, so that what is held does not grow with the answer.

import type { ResultField, RowSink } from '../../../pg/driver.ts';
import type { BodyRows } from '../body-rows.ts';
import { GrowingBytes } from '../growing-bytes.ts';
import { type CellValue, cellValue } from './cell-value.ts';
import { type ColumnType, columnType, type SpatialOids } from './column-type.ts';
import { wkbHead } from './plain-wkb.ts';

export type Column = {
  readonly name: string;
  readonly type: ColumnType;
  /** Of the batch. */
  readonly values: CellValue[];
  /** Of a geometry: all that have been met. */
  readonly srids: Set<number>;
  readonly shapes: Set<string>;
};

/** One file, or one stream: batches in order, then the end. `end` without a batch before it is a whole file, too. */
export type BatchWriter = {
  /** Bytes on the wire that make a batch. */
  readonly batchBytes: number;
  batch(columns: readonly Column[], rows: number): Uint8Array;
  end(columns: readonly Column[]): Uint8Array;
};

const MOST_BATCH_ROWS = 65_536;

export class ColumnarRows implements RowSink, BodyRows {
  count = 0;
  readonly total: undefined = undefined;
  readonly isUnfit = false;
  isFull = false;
  readonly out: GrowingBytes = new GrowingBytes();
  /** Bytes of rows that are gathered, and not written yet. */
  gathered = 0;
  readonly #spatial: SpatialOids;
  readonly #open: () => BatchWriter;
  #writer: BatchWriter;
  #fields: readonly ResultField[] = [];
  #columns: readonly Column[] | undefined;
  #rows = 0;

  /** `spatial` is known by the time the first row comes. `open` begins a file. */
  constructor(spatial: SpatialOids, open: () => BatchWriter) {
    this.#spatial = spatial;
    this.#open = open;
    this.#writer = open();
  }

  begin(fields: readonly ResultField[]): void {
    this.count = 0;
    this.isFull = false;
    this.out.at = 0;
    this.gathered = 0;
    this.#rows = 0;
    this.#fields = fields;
    this.#columns = undefined;
    this.#writer = this.#open();
  }

  row(bytes: Buffer, start: number, end: number): void {
    if (this.isFull) return;
    if (this.out.at + this.gathered > this.out.most) {
      this.isFull = true;
      this.#forget();
      this.out.drop();
      return;
    }
    this.count += 1;
    this.#rows += 1;
    this.gathered += end - start;
    let at = start + 2;
    for (const column of this.#known()) {
      const length = bytes.readInt32BE(at);
      at += 4;
      if (length < 0) {
        column.values.push(null);
        continue;
      }
      if (column.type.kind === 'geometry') note(column, bytes, at);
      column.values.push(cellValue(column.type, bytes, at, at + length));
      at += length;
    }
    if (this.gathered >= this.#writer.batchBytes || this.#rows >= MOST_BATCH_ROWS) this.#flush();
  }

  finish(): void {
    if (this.#rows > 0) this.#flush();
    this.out.append(this.#writer.end(this.#known()));
  }

  #known(): readonly Column[] {
    if (this.#columns !== undefined) return this.#columns;
    const names = uniqueNames(this.#fields);
    this.#columns = this.#fields.map((field, i) => ({
      name: names[i] ?? field.name,
      type: columnType(field, this.#spatial),
      values: [],
      srids: new Set(),
      shapes: new Set(),
    }));
    return this.#columns;
  }

  #flush(): void {
    this.out.append(this.#writer.batch(this.#known(), this.#rows));
    this.#forget();
  }

  #forget(): void {
    for (const { values } of this.#known()) values.length = 0;
    this.gathered = 0;
    this.#rows = 0;
  }
}

/** JSON may have a key twice; readers of columns find them by their names. */
function uniqueNames(fields: readonly ResultField[]): readonly string[] {
  const taken = new Set(fields.map(({ name }) => name));
  const seen = new Set<string>();
  return fields.map(({ name }) => {
    let unique = name;
    for (let n = 2; seen.has(unique) || (unique !== name && taken.has(unique)); n++) unique = `${name}_${n}`;
    seen.add(unique);
    return unique;
  });
}

/** The head of a geometry in hex: byte order, type, and the SRID perhaps. */
const HEAD_DIGITS = 18;

function note({ srids, shapes }: Column, bytes: Buffer, at: number): void {
  const { srid, type } = wkbHead(Buffer.from(bytes.toString('latin1', at, at + HEAD_DIGITS), 'hex'));
  srids.add(srid);
  shapes.add(type);
}
