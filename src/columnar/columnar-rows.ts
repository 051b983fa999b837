// Rows off the wire → batches of columns, for formats that are written column by column (Arrow, Parquet). Cells are gathered in stores of the writer's
// own, and written when there are enough of them, so that what is held does not grow with the answer.

import { GrowingBytes } from '../kernel/growing-bytes.ts';
import type { ResultField, RowSink } from '../pg/driver.ts';
import { type ColumnType, columnType, type SpatialOids } from './column-type.ts';
import { hexHead } from './plain-wkb.ts';

/** Cells of a column, of the batch that is gathered. */
export type CellStore = {
  /** As PostgreSQL writes it, dates in ISO style and bytes in hex. What the column's type cannot hold (infinity of a date) is none. */
  add(bytes: Buffer, from: number, to: number): void;
  addNull(): void;
  /** After each batch. */
  clear(): void;
};

export type Column<Cells extends CellStore = CellStore> = {
  readonly name: string;
  readonly type: ColumnType;
  readonly cells: Cells;
  /** Of a geometry: all that have been met. */
  readonly srids: Set<number>;
  readonly shapes: Set<string>;
};

/** One file, or one stream: batches in order, then the end. `end` without a batch before it is a whole file, too. */
export type BatchWriter<Cells extends CellStore> = {
  /** Bytes on the wire that make a batch. */
  readonly batchBytes: number;
  cells(type: ColumnType): Cells;
  batch(columns: readonly Column<Cells>[], rows: number, out: GrowingBytes): void;
  end(columns: readonly Column<Cells>[], out: GrowingBytes): void;
};

/** A batch ends with the row that makes it large enough, in bytes or in rows: with one row, where that is longer than a batch. */
const MAX_BATCH_ROWS = 65_536;

export class ColumnarRows<Cells extends CellStore = CellStore> implements RowSink {
  count = 0;
  readonly total: undefined = undefined;
  readonly isUnfit = false;
  isFull = false;
  readonly out: GrowingBytes = new GrowingBytes();
  /** Bytes of rows that are gathered, and not written yet. */
  gathered = 0;
  readonly #spatial: SpatialOids;
  readonly #open: () => BatchWriter<Cells>;
  #writer: BatchWriter<Cells>;
  #fields: readonly ResultField[] = [];
  #columns: readonly Column<Cells>[] | undefined;
  #rows = 0;

  /** `spatial` is known by the time the first row comes. `open` begins a file. */
  constructor(spatial: SpatialOids, open: () => BatchWriter<Cells>) {
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
        column.cells.addNull();
        continue;
      }
      if (column.type.kind === 'geometry') note(column, bytes, at);
      column.cells.add(bytes, at, at + length);
      at += length;
    }
    if (this.gathered >= this.#writer.batchBytes || this.#rows >= MAX_BATCH_ROWS) this.#flush();
  }

  finish(): void {
    if (this.#rows > 0) this.#flush();
    this.#writer.end(this.#known(), this.out);
  }

  #known(): readonly Column<Cells>[] {
    if (this.#columns !== undefined) return this.#columns;
    const names = uniqueNames(this.#fields);
    this.#columns = this.#fields.map((field, i) => {
      const type = columnType(field, this.#spatial);
      const cells = this.#writer.cells(type);
      return { name: names[i] ?? field.name, type, cells, srids: new Set(), shapes: new Set() };
    });
    return this.#columns;
  }

  #flush(): void {
    this.#writer.batch(this.#known(), this.#rows, this.out);
    this.#forget();
  }

  #forget(): void {
    for (const { cells } of this.#known()) cells.clear();
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

function note({ srids, shapes }: Column, bytes: Buffer, at: number): void {
  const { srid, type } = hexHead(bytes, at);
  srids.add(srid);
  shapes.add(type);
}
