import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeCopyReader } from './copy-rows.ts';

const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);

function encoded(rows: readonly (readonly (string | null)[])[]): Buffer {
  const parts: Buffer[] = [HEADER];
  const int = (n: number, bytes: 2 | 4): Buffer => {
    const buffer = Buffer.alloc(bytes);
    if (bytes === 2) buffer.writeInt16BE(n);
    else buffer.writeInt32BE(n);
    return buffer;
  };
  for (const row of rows) {
    parts.push(int(row.length, 2));
    for (const cell of row) {
      if (cell === null) parts.push(int(-1, 4));
      else parts.push(int(Buffer.byteLength(cell), 4), Buffer.from(cell));
    }
  }
  return Buffer.concat([...parts, int(-1, 2)]);
}

test('rows come out whole however the bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.option(fc.string({ unit: 'grapheme' })), { maxLength: 4 }), { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      (rows, cuts) => {
        const found: (string | null)[][] = [];
        const reader = makeCopyReader((cells) => found.push(cells.map((cell) => cell?.toString() ?? null)));
        const bytes = encoded(rows);
        for (let at = 0, i = 0; at < bytes.length; i += 1) {
          const size = cuts[i % cuts.length] ?? 1;
          reader.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(found).toEqual(rows);
      },
    ),
  );
});

test('what stands in the header behind its own fields is passed over', () => {
  const extended = Buffer.concat([HEADER.subarray(0, -4), Buffer.from([0, 0, 0, 3]), Buffer.from('ext')]);
  const found: unknown[] = [];
  const reader = makeCopyReader((cells) => found.push(cells.map(String)));
  reader.push(Buffer.concat([extended, encoded([['a', 'b']]).subarray(HEADER.length)]));
  expect(found).toEqual([['a', 'b']]);
});
