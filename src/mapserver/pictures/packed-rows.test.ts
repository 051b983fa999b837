import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packRows, unpackRows } from './packed-rows.ts';

test('rows are the same after they were packed', () => {
  const cell = fc.option(fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)));
  const rows = fc
    .integer({ min: 1, max: 4 })
    .chain((columns) => fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { maxLength: 20 }));
  fc.assert(
    fc.property(rows, (given) => {
      expect(unpackRows(packRows(given))).toEqual(given);
    }),
  );
});

test('bytes of another buffer around a cell are not taken along', () => {
  const around = Buffer.from('abcdef');
  const packed = packRows([[around.subarray(2, 4)]]);
  expect(packed.bytes.buffer.byteLength).toBe(2);
  expect(unpackRows(packed)[0]?.[0]?.toString()).toBe('cd');
});
