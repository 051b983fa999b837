// Rows of a statement in one buffer, so that they go to another thread without a copy for each cell. Pure.

import type { Row } from '../../pg/driver.ts';

export type PackedRows = {
  readonly rows: number;
  readonly columns: number;
  /** Of each cell, row by row; -1: NULL. */
  readonly lengths: Int32Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
};

const NULL = -1;

export function packRows(rows: readonly Row[]): PackedRows {
  const columns = rows[0]?.length ?? 0;
  const lengths = new Int32Array(rows.length * columns);
  let [at, total] = [0, 0];
  for (const row of rows)
    for (const cell of row) {
      lengths[at++] = cell === null ? NULL : cell.length;
      total += cell?.length ?? 0;
    }
  const bytes = new Uint8Array(total);
  let end = 0;
  for (const row of rows)
    for (const cell of row) {
      if (cell === null) continue;
      bytes.set(cell, end);
      end += cell.length;
    }
  return { rows: rows.length, columns, lengths, bytes };
}

export function unpackRows({ rows, columns, lengths, bytes }: PackedRows): readonly Row[] {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [at, end] = [0, 0];
  return Array.from({ length: rows }, () =>
    Array.from({ length: columns }, () => {
      const length = lengths[at++] ?? NULL;
      if (length === NULL) return null;
      end += length;
      return whole.subarray(end - length, end);
    }),
  );
}
