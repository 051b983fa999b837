// A sink of rows that writes a body, and what is known of the rows besides.

import type { GrowingBytes } from '../../kernel/growing-bytes.ts';
import type { RowSink } from '../../pg/driver.ts';

export type BodyRows = RowSink & {
  /** Rows so far. */
  readonly count: number;
  /** Of the hidden last column, where there is one and a row to have it. */
  readonly total: number | undefined;
  /** Some column has to be written by the database: nothing here is of use. */
  readonly isUnfit: boolean;
  /** More bytes came than are held: they are dropped, and the rows are only counted. */
  readonly isFull: boolean;
  readonly out: GrowingBytes;
  /** Bytes of rows that have come and are not in `out` yet; left out: there are never any. */
  readonly gathered?: number;
  /** Writes the end of the body. */
  finish(): void;
};
