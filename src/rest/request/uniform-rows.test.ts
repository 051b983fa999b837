// Rows that are written alike: what is read of them is what JSON.parse reads, and the lines say what JSON says; all else is left to others.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readUniformRows } from './uniform-rows.ts';

type Scalar = string | number | boolean | null;

const read = (text: string) => {
  const found = readUniformRows(Buffer.from(text));
  return found === undefined
    ? undefined
    : { keys: found.keys, rows: found.rows, lines: Buffer.from(found.lines).toString() };
};

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** As COPY reads it: null, or the text of a cell. */
function cellsOf(lines: string): (string | null)[][] {
  const cell = (text: string): string | null =>
    text === '\\N' ? null : text.replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter);
  return lines
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t').map(cell));
}

/** As `json_to_recordset` reads it. */
function textOf(value: Scalar): string | null {
  if (value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

test('rows of all kinds of values', () => {
  expect(read('[{"a":1,"b":"x"},{"a":-2.50e+3,"b":""},{"a":null,"b":"null"},{"a":true,"b":"\\\\N"}]')).toEqual({
    keys: ['a', 'b'],
    rows: 4,
    lines: '1\tx\n-2.50e+3\t\n\\N\tnull\ntrue\t\\\\N\n',
  });
});

test.each([
  ['[{"a":"\\"\\/\\\\\\b\\f\\n\\r\\t"},{"a":false}]', '"/\\\\\\b\\f\\n\\r\\t\nfalse\n'],
  [' [ {"a" : 1} , {"a" : 2} , {"a" : 3} ] \n', '1\n2\n3\n'],
  ['[\n  {\n    "a": 1,\n    "b": 2\n  },\n  {\n    "a": 3,\n    "b": 4\n  }\n]\n', '1\t2\n3\t4\n'],
  ['[{"":0},{"":0}]', '0\n0\n'],
  ['[{"\\u0061":"ü€😀"},{"\\u0061":"sixteen letters!"}]', 'ü€😀\nsixteen letters!\n'],
  [
    `[{"a":"${'x'.repeat(70)}\\n${'y'.repeat(70)}"},{"a":"${'z'.repeat(15)}"}]`,
    `${'x'.repeat(70)}\\n${'y'.repeat(70)}\n${'z'.repeat(15)}\n`,
  ],
])('%s', (text, lines) => {
  expect(read(text)?.lines).toBe(lines);
});

test.each([
  ...['', '[', '[]', '[{}]', '[{},{}]', '{"a":1}', '[1,2]', '[{"a":1}]', '[{"a":1},'],
  ...['[{"a":1},{"b":1}]', '[{"a":1},{"a":1,"b":2}]', '[{"a":1,"b":2},{"a":1}]', '[{"a":1,"b":2},{"b":2,"a":1}]'],
  ...['[{"a":1},{"a":2},{"a" :3}]', '[{"a":1,"a":2},{"a":1,"a":2}]', '[{"a":1},{"a":2},{"\\u0061":3}]'],
  ...['[{"a":{}},{"a":{}}]', '[{"a":1},{"a":[]}]', '[{"a":1},{"a":{"b":1}}]', '[{"a":1},2]'],
  ...['[{"a":"x"},{"a":"\\u00e9"}]', '[{"a":"\\ud83d"},{"a":1}]', '[{"a":"x"},{"a":"\\u0000"}]'],
  ...['[{"a":1},{"a":01}]', '[{"a":1},{"a":+1}]', '[{"a":1},{"a":1.}]', '[{"a":1},{"a":.5}]', '[{"a":1},{"a":1e}]'],
  ...['[{"a":1},{"a":-}]', '[{"a":1},{"a":nul}]', '[{"a":1},{"a":falsy}]', '[{"a":1},{"a":True}]', '[{"a":1},{"a":}]'],
  ...['[{"a":1},{"a":"x}]', '[{"a":1},{"a":"\\x"}]', '[{"a":1},{"a":"\t"}]', '[{"a":1},{"a":"\\'],
  ...['[{"a":1},{"a":2}', '[{"a":1},{"a":2}]]', '[{"a":1},{"a":2}] x', '[{"a":1},{"a":2}}', '[{"a":1},{"a":2},]'],
  ...['[{"a":1}{"a":2}]', '[{"a":1};{"a":2}]', '[{"a":1},{"a":2 3}]', '[{"a":1},{"a":truefalse}]'],
])('%s is left to others', (text) => {
  expect(read(text)).toBeUndefined();
});

test('bytes that are no UTF-8 are left to others', () => {
  const bytes = Buffer.from('[{"a":"x"},{"a":"?"}]');
  bytes[bytes.indexOf('?')] = 0xff;
  expect(readUniformRows(bytes)).toBeUndefined();
});

test('nothing of an earlier body is left in a later one', () => {
  read(`[{"a":"${'1'.repeat(500)}"},{"a":"${'1'.repeat(500)}"}]`);
  expect(read('[{"a":1},{"a":2')).toBeUndefined();
  expect(read('[{"a":1},{"a":2}]')?.lines).toBe('1\n2\n');
});

describe('what is read in several goes', () => {
  const rows = (count: number, length: number): readonly Record<string, Scalar>[] =>
    Array.from({ length: count }, (_, i) => ({ id: i, text: String(i).padStart(length, '-'), is: i % 2 === 0 }));
  const linesOf = (all: readonly Record<string, Scalar>[]): string =>
    all.map((row) => `${Object.values(row).map(textOf).join('\t')}\n`).join('');

  test.each([
    [2, 30_000],
    [3, 60_000],
    [3000, 17],
    [10_000, 100],
    [7, 32_700],
  ])('%i rows with texts of %i letters', (count, length) => {
    const all = rows(count, length);
    expect(read(JSON.stringify(all))).toEqual({ keys: ['id', 'text', 'is'], rows: count, lines: linesOf(all) });
  });

  test('every length around the end of one go', () => {
    for (let length = 32_700; length < 32_800; length++) {
      const all = rows(4, length);
      expect(read(JSON.stringify(all))?.lines).toBe(linesOf(all));
    }
  });

  test('a row that is longer than one go is left to others', () => {
    expect(read(JSON.stringify(rows(3, 70_000)))).toBeUndefined();
    expect(read(JSON.stringify([...rows(2000, 60), ...rows(1, 70_000)]))).toBeUndefined();
  });
});

test('more keys than are columns of a table, and longer ones than the memory, are left to others', () => {
  const row = (keys: number, length: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`.padEnd(length, '_'), i])));
  expect(read(`[${row(1600, 1)},${row(1600, 1)}]`)?.keys).toHaveLength(1600);
  expect(read(`[${row(1601, 1)},${row(1601, 1)}]`)).toBeUndefined();
  expect(read(`[${row(500, 100)},${row(500, 100)}]`)).toBeUndefined();
});

const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom('\\N', '\\.', '\\', '"', '/', '\t', '\n', '\r', '\b', '\f', '\\n', 'x'.repeat(16)),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);

const table: fc.Arbitrary<readonly Record<string, Scalar>[]> = fc
  // Keys that are numbers JavaScript puts in another order.
  .uniqueArray(
    fc.string({ maxLength: 20 }).map((name) => `k${name}`),
    { minLength: 1, maxLength: 6 },
  )
  .chain((keys) =>
    fc
      .array(fc.tuple(...keys.map(() => scalar)), { minLength: 2, maxLength: 12 })
      .map((rows) => rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [keys[i] as string, cell])))),
  );

test('the lines say what the JSON says', () => {
  fc.assert(
    fc.property(table, fc.constantFrom(undefined, 1, 2, '\t'), (rows, blanks) => {
      const text = JSON.stringify(rows, null, blanks);
      const found = read(text);
      // Escapes by number are PostgreSQL's business.
      if (text.includes('\\u')) return;
      expect(found?.keys).toEqual(Object.keys(rows[0] ?? {}));
      expect(found?.rows).toBe(rows.length);
      expect(cellsOf(found?.lines ?? '')).toEqual(rows.map((row) => Object.values(row).map(textOf)));
    }),
    { numRuns: 500 },
  );
});

test('what is no JSON is never read, and what is read says the same', () => {
  const byte = fc.constantFrom(...'[]{}",:\\ntrue0123456789.-+eE \n/'.split(''));
  fc.assert(
    fc.property(table, fc.nat(), fc.nat({ max: 3 }), byte, (rows, place, cut, put) => {
      const whole = JSON.stringify(rows);
      const at = place % whole.length;
      // Half a character is none.
      const text = Buffer.from(whole.slice(0, at) + put + whole.slice(at + cut)).toString();
      const found = read(text);
      if (found === undefined) return;
      const parsed = JSON.parse(text) as Record<string, Scalar>[];
      expect(found.keys).toEqual(Object.keys(parsed[0] ?? {}));
      expect(found.rows).toBe(parsed.length);
      for (const row of parsed) expect(Object.keys(row)).toEqual(found.keys);
      const cells = cellsOf(found.lines);
      for (const [i, row] of parsed.entries())
        for (const [j, value] of Object.values(row).entries())
          if (typeof value !== 'number') expect(cells[i]?.[j]).toBe(textOf(value));
          else expect(Number(cells[i]?.[j])).toBe(value);
    }),
    { numRuns: 3000 },
  );
});
