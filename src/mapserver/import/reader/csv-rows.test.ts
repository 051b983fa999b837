import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvRows, guessSeparator } from './csv-rows.ts';

async function* cut(text: string, sizes: readonly number[]): AsyncGenerator<string> {
  let at = 0;
  for (const size of sizes) {
    yield text.slice(at, at + size);
    at += size;
  }
  yield text.slice(at);
}

async function read(text: string, separator = ',', sizes: readonly number[] = []): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const { cells } of csvRows(cut(text, sizes), separator)) rows.push([...cells]);
  return rows;
}

describe('separated values', () => {
  test.each([
    [
      'plain',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'without a last line end',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'with returns',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'with returns alone',
      'a,b\r1,2\r',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'quoted',
      '"a,1","b""c"\n"x\ny",z\n',
      [
        ['a,1', 'b"c'],
        ['x\ny', 'z'],
      ],
    ],
    ['quoted with returns inside', '"a\r\nb",c\r\n', [['a\r\nb', 'c']]],
    [
      'empty cells',
      ',\n,,\n',
      [
        ['', ''],
        ['', '', ''],
      ],
    ],
    ['empty lines', '\na\n\n\nb\n', [['a'], ['b']]],
    ['empty quotes', '"",x\n', [['', 'x']]],
    ['a quote inside', 'a"b,c\n', [['a"b', 'c']]],
    ['characters behind a quote', '"a"b,c\n', [['ab', 'c']]],
    ['a byte order mark', '\ufeffa,b\n', [['a', 'b']]],
    ['nothing', '', []],
  ])('%s', async (_what, text, expected) => {
    expect(await read(text)).toEqual(expected);
  });

  test('are the same however the text is cut', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', '😀') });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 }),
        fc.array(fc.nat(7), { maxLength: 30 }),
        async (rows, sizes) => {
          const text = rows
            .map((row) => `${row.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')}\r\n`)
            .join('');
          expect(await read(text, ',', sizes)).toEqual(rows);
        },
      ),
    );
  });

  test('say where a quote is opened that nobody closes', async () => {
    await expect(read('a,b\n1,2\n"x,y\n3,4\n')).rejects.toMatchObject({ line: 3 });
  });

  test('know the line each row begins on', async () => {
    const lines: number[] = [];
    for await (const { line } of csvRows(cut('a\n"b\nc"\n\nd\r\ne\rf', []), ',')) lines.push(line);
    expect(lines).toEqual([1, 2, 5, 6, 7]);
  });
});

test.each([
  ['a,b;c,d', ','],
  ['a;b;"c,d,e,f"', ';'],
  ['a\tb\n1,2,3,4', '\t'],
  ['a|b', '|'],
  ['a', ','],
])('%j is separated by %j', (head, separator) => {
  expect(guessSeparator(head)).toBe(separator);
});
