// Cells of every type through the buffers of an Arrow stream, read back by another implementation of the format (that of Rust): they have to hold what
// `cellValue` makes of each cell by itself.

import { tableFromIPC } from '@uwdata/flechette';
import { Table } from 'parquet-wasm';
import { describe, expect, test } from 'vitest';
import { arrowWriter } from './arrow-writer.ts';
import { cellValue } from './cell-value.ts';
import { columnType } from './column-type.ts';
import { ColumnarRows } from './columnar-rows.ts';

const SPATIAL = { geometry: 900_001, geography: 900_002 };

type Cell = Buffer | null;
type Field = { readonly name: string; readonly type: number; readonly modifier?: number };

function wireRow(cells: readonly Cell[]): Buffer {
  const parts = cells.flatMap((cell) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(cell === null ? -1 : cell.length);
    return cell === null ? [length] : [length, cell];
  });
  return Buffer.concat([Buffer.from([0, cells.length]), ...parts]);
}

function streamOf(fields: readonly Field[], rows: readonly (readonly Cell[])[]): Buffer {
  const sink = new ColumnarRows(SPATIAL, arrowWriter);
  sink.out.most = Number.POSITIVE_INFINITY;
  sink.begin(fields);
  for (const cells of rows) {
    // As on the wire: in the midst of other bytes.
    const row = Buffer.concat([Buffer.from('before'), wireRow(cells), Buffer.from('after')]);
    sink.row(row, 6, row.length - 5);
  }
  sink.finish();
  return sink.out.take();
}

/** Columns as they lie in memory: numbers of days and microseconds, and not what a reader makes of them. Each batch by itself, too. */
function read(stream: Buffer): { readonly columns: readonly (readonly unknown[])[]; readonly batches: number[] } {
  const table = Table.fromIPCStream(stream);
  const found = tableFromIPC(table.intoIPCStream(), { useBigInt: true, useDecimalInt: true, useDate: false });
  // The other one takes it as it is, too.
  expect(tableFromIPC(stream).numRows).toBe(found.numRows);
  const columns = found.children.map((column) =>
    column.data.flatMap((batch) =>
      Array.from({ length: batch.length }, (_, i) => {
        const value: unknown = batch.at(i);
        const raw: unknown = batch.values instanceof BigInt64Array || batch.values instanceof Int32Array;
        return value === null || raw !== true ? value : batch.values[i];
      }),
    ),
  );
  return { columns, batches: found.children[0]?.data.map(({ length }) => length) ?? [] };
}

/** The same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const decimals = (precision: number, scale: number): number => (precision << 16) + scale + 4;
const POSITION = '000000000000f03f00000000000000400000000000000840';

/** Of each type the cells that are special, and how to make others. */
const KINDS: readonly (Field & {
  readonly special: readonly string[];
  readonly any: (below: (most: number) => number) => string;
})[] = [
  { name: 'boolean', type: 16, special: ['t', 'f'], any: (below) => (below(2) === 0 ? 't' : 'f') },
  { name: 'int16', type: 21, special: ['0', '-32768', '32767'], any: (below) => `${below(65_536) - 32_768}` },
  { name: 'int32', type: 23, special: ['-2147483648', '2147483647'], any: (below) => `${below(2 ** 32) - 2 ** 31}` },
  {
    name: 'int64',
    type: 20,
    special: [
      ...['0', '-1', '-9223372036854775808', '9223372036854775807', '9007199254740993', '-4294967296', '4294967295'],
      ...['999999999999999', '-99999999999999', '-999999999999999', '1000000000000000'],
    ],
    any: (below) => `${(BigInt(below(2 ** 32)) << BigInt(below(31))) * (below(2) === 0 ? 1n : -1n)}`,
  },
  { name: 'oid', type: 26, special: ['4294967295'], any: (below) => `${below(2 ** 32)}` },
  {
    name: 'float32',
    type: 700,
    special: ['NaN', 'Infinity', '-Infinity', '-0', '3.4028235e+38', '1e-45', '0.1'],
    any: (below) => `${Math.fround((below(2 ** 32) - 2 ** 31) / (1 + below(1000)))}`,
  },
  {
    name: 'float64',
    type: 701,
    special: [
      ...['NaN', 'Infinity', '-Infinity', '-0', '0', '1.7976931348623157e+308', '5e-324', '2.2250738585072014e-308'],
      ...[
        '0.1',
        '-0.000123',
        '1e+22',
        '1e+23',
        '9007199254740993',
        '123456789012345e-22',
        '1e-05',
        '123456789012345.6',
      ],
      ...['0.000000000000001234', '100000000000000000000', '8.41e+21', '9.5e-22'],
    ],
    any: (below) =>
      `${((below(2 ** 32) - 2 ** 31) / (1 + below(9)) / 10 ** below(30)) * 10 ** below(30)}`.replace(/e(\d)/, 'e+$1'),
  },
  {
    name: 'price',
    type: 1700,
    modifier: decimals(12, 3),
    special: ['NaN', '0.000', '-0.001', '999999999.999', '-999999999.999', '7', '7.5', 'Infinity', '-Infinity'],
    any: (below) => `${below(2) === 0 ? '-' : ''}${below(999_999_999)}.${String(below(1000)).padStart(3, '0')}`,
  },
  {
    name: 'long',
    type: 1700,
    modifier: decimals(38, 4),
    special: [
      ...['0.0000', `${'9'.repeat(34)}.9999`, `-${'9'.repeat(34)}.9999`, '99999999999.9999', '-99999999999.9999'],
      ...['100000000000.0000', '18446744073709551616.0000', '-18446744073709551616.0000', '922337203685477.5808'],
    ],
    any: (below) => `-${below(2 ** 32)}${'0'.repeat(below(20))}1.${String(below(10_000)).padStart(4, '0')}`,
  },
  { name: 'digits', type: 1700, special: [`1${'0'.repeat(60)}`, 'NaN', 'Infinity'], any: (below) => `${below(9)}.50` },
  {
    name: 'text',
    type: 25,
    special: ['', 'ä', '😀', 'x'.repeat(47), `${'x'.repeat(47)}ä`, '\u0000', '"\\\n', 'é'.repeat(5000)],
    any: (below) => String.fromCodePoint(32 + below(50_000)).repeat(below(60)),
  },
  { name: 'array', type: 1009, special: ['{}', '{NULL,"",a}', '{{1,2},{3,4}}'], any: (below) => `{${below(9)},"b c"}` },
  { name: 'interval', type: 1186, special: ['-1 years -2 mons +3 days'], any: (below) => `${below(99)} days` },
  { name: 'json', type: 3802, special: ['null', '{}', '"ö"'], any: (below) => `{"a": [${below(9)}]}` },
  {
    name: 'bytes',
    type: 17,
    special: ['\\x', '\\x00', '\\xff', '\\xFFaB'],
    any: (below) => `\\x${Array.from({ length: below(60) }, () => `0${below(16).toString(16)}`).join('')}`,
  },
  {
    name: 'date',
    type: 1082,
    special: [
      ...['infinity', '-infinity', '0044-03-15 BC', '0001-01-01', '0001-12-31 BC', '4713-01-01 BC', '1970-01-01'],
      ...['1969-12-31', '9999-12-31', '10000-01-01', '12345-06-07', '2000-02-29', '1900-03-01', '1600-02-29'],
      ...['275760-09-14', '5874897-12-31', '0001-02-29 BC', '0005-02-29 BC', '0101-03-01 BC', '300000-02-29'],
    ],
    any: (below) => dateText(below),
  },
  {
    name: 'time',
    type: 1083,
    special: ['00:00:00', '24:00:00', '23:59:59.999999', '12:30:00.5', '00:00:00.000001'],
    any: (below) => clockText(below),
  },
  {
    name: 'local',
    type: 1114,
    special: [
      ...['infinity', '-infinity', '0044-03-15 12:00:00 BC', '1969-12-31 23:59:59.999999', '9999-12-31 23:59:59'],
      ...['0001-01-01 00:00:00', '2255-06-05 23:47:34.740993', '1684-07-28 00:12:25.259007', '20000-01-01 01:02:03.4'],
      ...['294247-01-10 04:00:54.775807', '294247-01-10 04:00:54.775808', '294276-12-31 23:59:59.999999'],
    ],
    any: (below) => `${dateText(below)} ${clockText(below)}`,
  },
  {
    name: 'instant',
    type: 1184,
    special: [
      ...['infinity', '0044-03-15 12:00:00+00 BC', '0044-03-15 12:00:00.5+00:53:28 BC', '1890-01-01 00:00:00+00:53:28'],
      ...['2024-02-29 12:00:00.123456+02', '2024-02-29 12:00:00-03:30', '0044-03-15 12:00:00+00:53 BC'],
      ...['2255-06-05 23:47:34.740993+14', '2255-06-06 13:47:34.740991+14', '1969-12-31 19:00:00-05'],
    ],
    any: (below) => `${dateText(below)} ${clockText(below)}${['+', '-'][below(2)]}0${below(10)}`,
  },
  {
    name: 'geometry',
    type: SPATIAL.geometry,
    special: [
      '0101000020E6100000000000000000F03F0000000000000040',
      '0101000000000000000000f03f0000000000000040',
      `01070000a0e610000002000000${`0101000080${POSITION}`}${`010200008002000000${POSITION}${POSITION}`}`,
      `00400000030000000200000001${POSITION}00000001${POSITION}`,
      '0107000020e610000000000000',
    ],
    any: (below) => `0101000020E61000000000000000${below(2)}0F03F0000000000000040`,
  },
];

function dateText(below: (most: number) => number): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${String(1 + below(9999)).padStart(4, '0')}-${two(1 + below(12))}-${two(1 + below(28))}`;
}

function clockText(below: (most: number) => number): string {
  const two = (most: number): string => String(below(most)).padStart(2, '0');
  const fraction = below(2) === 0 ? '' : `.${1 + below(9)}${'0'.repeat(below(5))}`;
  return `${two(24)}:${two(60)}:${two(60)}${fraction}`;
}

/** As memory has it, and so as `cellValue` does; a float of 32 bits is rounded there. */
function expected(field: Field, cell: Cell): unknown {
  if (cell === null) return null;
  const value = cellValue(columnType(field, SPATIAL), cell, 0, cell.length);
  if (field.name === 'float32') return Math.fround(Number(value));
  return value instanceof Uint8Array ? new Uint8Array(value) : value;
}

describe('a stream holds what its cells say', () => {
  test.each(KINDS)('$name', (kind) => {
    const below = numbers(kind.type + (kind.modifier ?? 0));
    const cells: Cell[] = kind.special.map((text) => Buffer.from(text));
    for (let i = 0; i < 2000; i++) cells.push(below(5) === 0 ? null : Buffer.from(kind.any(below)));
    const { columns } = read(
      streamOf(
        [kind],
        cells.map((cell) => [cell]),
      ),
    );
    expect(columns).toEqual([cells.map((cell) => expected(kind, cell))]);
  });

  test.each([0, 1, 7, 8, 9, 300])('all types beside each other, %i rows', (count) => {
    const below = numbers(count + 1);
    const rows = Array.from({ length: count }, () =>
      KINDS.map((kind) => (below(4) === 0 ? null : Buffer.from(kind.any(below)))),
    );
    const { columns } = read(streamOf(KINDS, rows));
    expect(columns.map((column) => [...column])).toEqual(
      KINDS.map((kind, i) => rows.map((row) => expected(kind, row[i] ?? null))),
    );
  });
});

describe('batches', () => {
  const FIELDS = [
    { name: 'id', type: 23 },
    { name: 'word', type: 25 },
  ];

  test('end after 65,536 rows, or a megabyte of them, and the next has nothing of the one before', () => {
    const narrow = Array.from({ length: 65_537 }, (_, i) => [i % 3 === 0 ? null : Buffer.from(`${i % 10}`)]);
    const { columns, batches } = read(streamOf([{ name: 'id', type: 23 }], narrow));
    expect(batches).toEqual([65_536, 1]);
    expect(columns[0]).toEqual(narrow.map(([cell]) => (cell === null ? null : Number(cell))));
    const wide = Array.from({ length: 30 }, (_, i) => [Buffer.from(`${i}`), Buffer.alloc(100_000, 97 + (i % 26))]);
    const found = read(streamOf(FIELDS, wide));
    expect(found.batches).toEqual([11, 11, 8]);
    expect(found.columns[1]).toEqual(wide.map(([, word]) => String(word)));
  });

  test('of one row, where that is longer than they are, with all that comes behind it', () => {
    const rows = [6_000_000, 0, 5, 9_000_000, 3].map((length, i) => [Buffer.from(`${i}`), Buffer.alloc(length, 'ab')]);
    const { columns, batches } = read(streamOf(FIELDS, rows));
    expect(batches).toEqual([1, 3, 1]);
    expect(columns[1]).toEqual(rows.map(([, word]) => String(word)));
  });

  test('have what is no text replaced in its cell alone, also where the next would make one of it', () => {
    const words = [
      Buffer.from('ä'),
      Buffer.from([0xc3]),
      Buffer.from([0xa4, 0x61]),
      null,
      Buffer.from([0xff]),
      Buffer.from('z'),
    ];
    const { columns } = read(
      streamOf(
        FIELDS,
        words.map((word, i) => [Buffer.from(`${i}`), word]),
      ),
    );
    expect(columns[1]).toEqual(['ä', '\ufffd', '\ufffda', null, '\ufffd', 'z']);
    const split = [Buffer.from([0xc3]), Buffer.from([0xa4])].map((word) => [null, word]);
    expect(read(streamOf(FIELDS, split)).columns[1]).toEqual(['\ufffd', '\ufffd']);
  });

  test('have zeros where there is nothing: between buffers, and for what is null', () => {
    const rows = [[Buffer.from('1'), null], [null, Buffer.from('a')], ...Array.from({ length: 7 }, () => [null, null])];
    const [one, two] = [streamOf(FIELDS, rows), streamOf(FIELDS, rows)];
    expect(one.equals(two)).toBe(true);
    const id = tableFromIPC(one).children[0]?.data[0]?.values;
    expect([...(id as Int32Array)]).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0]);
  });
});
