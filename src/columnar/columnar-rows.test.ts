import { describe, expect, test } from 'vitest';
import { arrowWriter } from './arrow-writer.ts';
import { ColumnarRows } from './columnar-rows.ts';
import { parquetWriter } from './parquet-writer.ts';

const FIELDS = [
  { name: 'id', type: 20 },
  { name: 'word', type: 25 },
];

/** As the wire has it. */
function wireRow(...cells: readonly string[]): Buffer {
  const parts = cells.flatMap((cell) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(Buffer.byteLength(cell));
    return [length, Buffer.from(cell)];
  });
  return Buffer.concat([Buffer.from([0, cells.length]), ...parts]);
}

const NOT_SPATIAL = { geometry: undefined, geography: undefined };

describe.each([
  ['Arrow', () => new ColumnarRows(NOT_SPATIAL, arrowWriter)],
  ['Parquet', () => new ColumnarRows(NOT_SPATIAL, parquetWriter)],
])('%s', (_name, open: () => ColumnarRows) => {
  /** The most that is held at once, in bytes of rows and of what is written and not taken yet. */
  function mostHeld(rows: number): number {
    const sink = open();
    sink.out.most = Number.POSITIVE_INFINITY;
    sink.begin(FIELDS);
    let most = 0;
    for (let i = 0; i < rows; i++) {
      const row = wireRow(String(i), `${i} `.repeat(100));
      sink.row(row, 0, row.length);
      most = Math.max(most, sink.gathered + sink.out.at);
      if (sink.out.at > 0) sink.out.take();
    }
    sink.finish();
    return most;
  }

  test('holds no more of a large answer than of one twice as large', () => {
    const [some, twice] = [mostHeld(20_000), mostHeld(40_000)];
    expect(some).toBeGreaterThan(100_000);
    expect(twice).toBeLessThan(some * 1.2);
  });

  test('more than may be held is dropped, and only said to be too much', () => {
    const sink = open();
    sink.out.most = 1000;
    sink.begin(FIELDS);
    const row = wireRow('1', 'x'.repeat(600));
    for (let i = 0; i < 5; i++) sink.row(row, 0, row.length);
    expect([sink.isFull, sink.gathered, sink.out.at]).toEqual([true, 0, 0]);
    sink.begin(FIELDS);
    expect([sink.isFull, sink.count]).toEqual([false, 0]);
  });
});
