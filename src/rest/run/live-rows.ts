// One batch of a live stream: the rows of a read with their keys, as texts, up to a bound.

import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, ExecuteOptions, RowSink, Statement } from '../../pg/driver.ts';

export type LiveRow = {
  /** As JSON; undefined: rows have none. */
  readonly key: string | undefined;
  /** As JSON; undefined: there is no row of this key for the caller. */
  readonly row: string | undefined;
};

/** `full`: there is more than is held, and what was held is dropped. */
export type LiveRows = { readonly rows: readonly LiveRow[]; readonly full: boolean };

/** Of one batch. */
export const MAX_LIVE_BYTES: number = 32 * 1024 * 1024;

export async function runLive(
  before: readonly Statement[],
  main: Statement,
  driver: Driver,
  options: ExecuteOptions,
): Promise<Result<LiveRows, DbError>> {
  const sink = new LiveSink();
  const executed = await driver.execute([...before, { ...main, into: sink }], options);
  return executed.ok ? ok({ rows: sink.rows, full: sink.full }) : executed;
}

class LiveSink implements RowSink {
  rows: LiveRow[] = [];
  full = false;
  #bytes = 0;

  begin(): void {
    this.rows = [];
    this.full = false;
    this.#bytes = 0;
  }

  row(bytes: Buffer, start: number, end: number): void {
    this.#bytes += end - start;
    if (this.#bytes > MAX_LIVE_BYTES) {
      this.rows = [];
      this.full = true;
    }
    if (this.full) return;
    const keyLength = bytes.readInt32BE(start + 2);
    const keyAt = start + 6;
    const rowAt = keyAt + Math.max(0, keyLength) + 4;
    const rowLength = bytes.readInt32BE(rowAt - 4);
    this.rows.push({
      key: keyLength < 0 ? undefined : bytes.toString('utf8', keyAt, keyAt + keyLength),
      row: rowLength < 0 ? undefined : bytes.toString('utf8', rowAt, rowAt + rowLength),
    });
  }
}
