// Runs of rows are written by WebAssembly as single rows are by JavaScript, byte for byte; those, body-rows.test.ts compares with the database's.

import { describe, expect, test } from 'vitest';
import { cellPlan } from './json-cells.ts';
import { GEOJSON_SEQUENCE, JSON_ARRAY, JsonRows, NDJSON, type RowFrame } from './json-rows.ts';

/** By the OID of a type: cells that it may have. */
const CELLS: ReadonlyMap<number, readonly string[]> = new Map([
  [23, ['0', '-1', '2147483647', '-2147483648']],
  [701, ['0.1', '1e+300', 'NaN', 'Infinity', '-Infinity', '-1.5', '5e-324']],
  [1700, ['1.10', '-0.000', '9'.repeat(40), 'NaN', '-Infinity']],
  [16, ['t', 'f']],
  [114, ['{ "a" : [1, null] }', '"x"', 'null', `[${'1,'.repeat(300)}1]`]],
  [25, ['', 'a', 'fifteen letters', 'sixteen letters!', 'seventeen letters', `${'x'.repeat(31)}"`, 'ü€😀'.repeat(9)]],
  [25.5, ['"', '\\', '\n\t\r\b\f', '\x01\x1f\x7f', '"'.repeat(40), `${'y'.repeat(15)}\\${'z'.repeat(15)}\n`]],
  [1082, ['2024-02-29', '0044-03-15 BC', 'infinity', '-infinity', '10000-01-01', '0001-01-01']],
  [
    1114,
    ['2024-02-29 12:34:56.789', '2024-02-29 12:34:56', '0044-03-15 01:02:03 BC', '12000-01-01 00:00:00', 'infinity'],
  ],
  [
    1184,
    [
      '2024-02-29 12:34:56.789+02',
      '2024-02-29 12:34:56-03',
      '2024-02-29 18:04:56+05:30',
      '1880-01-01 00:53:28+00:53:28',
      '0044-03-15 01:02:03+00 BC',
    ],
  ],
]);

/** Lehmer's generator: the same rows every time, on every machine. */
function randomly(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

function message(cells: readonly (string | null)[]): Buffer {
  const parts = cells.flatMap((cell) => {
    const bytes = cell === null ? undefined : Buffer.from(cell);
    const length = Buffer.alloc(4);
    length.writeInt32BE(bytes?.length ?? -1);
    return bytes === undefined ? [length] : [length, bytes];
  });
  const body = Buffer.concat([Buffer.from([cells.length >> 8, cells.length & 0xff]), ...parts]);
  const head = Buffer.alloc(5);
  head[0] = 0x44;
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

type Written = { readonly text: string; readonly count: number; readonly total: number | undefined };

/** One by one, and in runs of as many. */
function bothWays(
  fields: readonly { readonly name: string; readonly type: number }[],
  messages: readonly Buffer[],
  frame: RowFrame,
  runs: { readonly of: number; readonly hasTotal?: boolean; readonly most?: number },
): readonly [JsonRows, JsonRows] {
  const one = new JsonRows(frame, runs.hasTotal === true);
  const run = new JsonRows(frame, runs.hasTotal === true);
  for (const rows of [one, run]) {
    rows.begin(fields);
    if (runs.most !== undefined) rows.out.most = runs.most;
  }
  for (const row of messages) one.row(row, 5, row.length);
  for (let at = 0; at < messages.length; at += runs.of) {
    // Not at the beginning of its memory, as in a chunk that something else came in, too.
    const all = Buffer.concat([Buffer.from('before'), ...messages.slice(at, at + runs.of), Buffer.from('behind')]);
    run.run(all, 6, all.length - 6);
  }
  for (const rows of [one, run]) rows.finish();
  return [one, run];
}

function written(rows: JsonRows): Written {
  return { text: rows.out.take().toString(), count: rows.count, total: rows.total };
}

describe('rows that come as a run', () => {
  test('are written by the module, which there is on the machines that we test on', () => {
    expect(
      cellPlan([{ key: Buffer.from('{"a":'), kind: 'number' }], JSON_ARRAY.between, JSON_ARRAY.after),
    ).toBeDefined();
  });

  test('are what they are one by one, whatever their columns, cells and frames', () => {
    const random = randomly(97);
    const types = [...CELLS.keys()];
    for (let round = 0; round < 400; round++) {
      const columns = Array.from({ length: 1 + random(9) }, () => types[random(types.length)] as number);
      const fields = columns.map((type, i) => ({ name: `${'long '.repeat(random(8))}"${i}`, type: Math.floor(type) }));
      const messages = Array.from({ length: random(80) }, () =>
        message(columns.map((type) => CELLS.get(type)?.[random((CELLS.get(type)?.length ?? 0) + 1)] ?? null)),
      );
      const frame = [JSON_ARRAY, NDJSON, GEOJSON_SEQUENCE][random(3)] as RowFrame;
      const [one, run] = bothWays(fields, messages, frame, { of: 1 + random(60) });
      expect(written(run)).toEqual(written(one));
    }
  });

  test.each([
    ['of more bytes than the module takes at once', 9_000, 'a row as any other'],
    ['of cells that are longer than that', 3, 'x"'.repeat(70_000)],
    ['of cells of which each byte becomes six', 40, '\x01'.repeat(5000)],
    ['that end where the module’s memory does', 40, 'x'.repeat(64 * 1024 - 11 - 5 - 2 - 4 - 4 - 1)],
  ])('%s', (_what, count, text) => {
    const fields = [
      { name: 'id', type: 23 },
      { name: 'text', type: 25 },
    ];
    const messages = Array.from({ length: count }, (_, i) => message([String(i), i % 3 === 0 ? 'short' : text]));
    for (const of of [2, 7, count]) {
      const [one, run] = bothWays(fields, messages, JSON_ARRAY, { of });
      one.out.most = run.out.most = Number.POSITIVE_INFINITY;
      expect(written(run)).toEqual(written(one));
    }
  });

  test('of more columns than the module has room for, or of keys that fill its answers', () => {
    for (const [columns, name] of [
      [1600, 'a rather long name of a column, as they are in some tables '],
      [600, 'a name of a column of medium length '],
    ] as const) {
      const fields = Array.from({ length: columns }, (_, i) => ({ name: `${name}${i}`, type: 23 }));
      const messages = Array.from({ length: 90 }, () =>
        message(fields.map((_, i) => (i % 5 === 0 ? String(i) : null))),
      );
      const [one, run] = bothWays(fields, messages, JSON_ARRAY, { of: 50 });
      expect(written(run)).toEqual(written(one));
    }
  });

  test('of keys that nearly fill the module’s memory, and then a cell of which each byte becomes six', () => {
    const fields = Array.from({ length: 600 }, (_, i) => ({
      name: `a name of a column that is nearly as long as names may be ${i}`,
      type: 25,
    }));
    const nulls = fields.map(() => null);
    for (const before of [12, 14, 16, 18]) {
      const last = message([...nulls.slice(1), '\x01'.repeat(20_000)]);
      const messages = [...Array.from({ length: before }, () => message(nulls)), last];
      const [one, run] = bothWays(fields, messages, JSON_ARRAY, { of: messages.length });
      expect(written(run)).toEqual(written(one));
    }
  });

  test('tell the total of the hidden column, and how many there are', () => {
    const fields = ['id', 'survest_total'].map((name) => ({ name, type: 23 }));
    const messages = Array.from({ length: 30 }, (_, i) => message([String(i), '77']));
    const [one, run] = bothWays(fields, messages, JSON_ARRAY, { of: 30, hasTotal: true });
    expect(run.total).toBe(77);
    expect(written(run)).toEqual(written(one));
  });

  test('are dropped where they are more than is held, and refused where a date is of another style', () => {
    const text = [{ name: 'text', type: 25 }];
    const many = Array.from({ length: 3000 }, () => message(['x'.repeat(100)]));
    const [one, run] = bothWays(text, many, JSON_ARRAY, { of: 3000, most: 50_000 });
    expect([one.isFull, run.isFull]).toEqual([true, true]);
    expect(run.out.bytes.length).toBeLessThan(10_000);
    const dates = ['2024-02-29', '2024-02-29', '29.02.2024', '2024-02-29'].map((date) => message([date]));
    expect(bothWays([{ name: 'at', type: 1082 }], dates, JSON_ARRAY, { of: 4 }).map(({ isUnfit }) => isUnfit)).toEqual([
      true,
      true,
    ]);
  });

  test('whose cells are longer than the row are no rows of the protocol', () => {
    const broken = message(['1', 'abc']);
    broken.writeInt32BE(400, 5 + 2 + 4 + 1);
    const rows = new JsonRows(JSON_ARRAY, false);
    rows.begin(['a', 'b'].map((name) => ({ name, type: 25 })));
    const good = message(['1', 'abc']);
    expect(() => rows.run(Buffer.concat([good, broken]), 0, good.length + broken.length)).toThrow('unreachable');
  });
});
