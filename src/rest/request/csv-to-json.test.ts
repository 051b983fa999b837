import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvToJson } from './csv-to-json.ts';
import { scanJson } from './json-scan.ts';

function convert(text: string) {
  const rows = csvToJson(Buffer.from(text));
  return rows.ok ? { rows: JSON.parse(Buffer.from(rows.value.bytes).toString()), keys: rows.value.keys } : rows.error;
}

describe('CSV', () => {
  test.each<[string, unknown[]]>([
    ['a,b\n1,2', [{ a: '1', b: '2' }]],
    [
      'a,b\n1,2\n3,4\n',
      [
        { a: '1', b: '2' },
        { a: '3', b: '4' },
      ],
    ],
    [
      'a,b\r\n1,2\r\n3,4\r\n',
      [
        { a: '1', b: '2' },
        { a: '3', b: '4' },
      ],
    ],
    ['a,b\r1,2\r', [{ a: '1', b: '2' }]],
    ['a,b\n\n1,2\n\n\n', [{ a: '1', b: '2' }]],
    // NULL is null, nothing is an empty string
    ['a,b\nNULL,', [{ a: null, b: '' }]],
    ['a,b\n"NULL",""', [{ a: null, b: '' }]],
    ['a,b\nnull,NULLs', [{ a: 'null', b: 'NULLs' }]],
    ['a,b\n NULL,"NULL"', [{ a: ' NULL', b: null }]],
    ['a,b\n"x,y","say ""hi"""', [{ a: 'x,y', b: 'say "hi"' }]],
    ['a,b\n"two\nlines","a\r\nb"', [{ a: 'two\nlines', b: 'a\r\nb' }]],
    ['a,b\nback\\slash,tab\there', [{ a: 'back\\slash', b: 'tab\there' }]],
    ['a,b\nsome"quote,5" pipe', [{ a: 'some"quote', b: '5" pipe' }]],
    ['"a b","c""d"\n1,2', [{ 'a b': '1', 'c"d': '2' }]],
    ['é,😀\nü,ع', [{ é: 'ü', '😀': 'ع' }]],
    ['\ufeffa,b\n1,2', [{ a: '1', b: '2' }]],
    ['a\n\u0001\u0000', [{ a: '\u0001\u0000' }]],
    ['a', []],
    ['a,b\n', []],
  ])('%j', (text, rows) => {
    expect(convert(text)).toMatchObject({ rows });
  });

  test('the keys are the header’s names, each once', () => {
    expect(convert('b,a,b\n1,2,3')).toMatchObject({ keys: ['b', 'a'] });
    expect(convert('b,a\n')).toMatchObject({ keys: [] });
  });

  test.each([
    ['a,b\n1', { kind: 'fields-differ' }],
    ['a,b\n1,2,3', { kind: 'fields-differ' }],
    ['a,b\n1,2\n3', { kind: 'fields-differ' }],
    ['', { kind: 'csv-empty' }],
    ['\n\n', { kind: 'csv-empty' }],
    ['a,b\n1,"2', { kind: 'csv-quote-unclosed', line: 2 }],
    ['a,b\n"x\ny",1\n"open\n\n', { kind: 'csv-quote-unclosed', line: 4 }],
    ['a,"b', { kind: 'csv-quote-unclosed', line: 1 }],
    ['a,b\n\n1,"2"x', { kind: 'csv-text-after-quote', line: 3 }],
    ['"a"b,c\n', { kind: 'csv-text-after-quote', line: 1 }],
  ])('%j is wrong', (text, problem) => {
    expect(convert(text)).toEqual(problem);
  });

  test('bytes that are no UTF-8 are refused', () => {
    expect(csvToJson(Uint8Array.from([0x61, 0x0a, 0xff]))).toEqual({ ok: false, error: { kind: 'csv-not-utf8' } });
  });

  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', '\\', 'x', 'NULL') }),
  );

  test('any cells come through, quoted', () => {
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.array(cell, { minLength: 4, maxLength: 4 })),
        (width, table) => {
          const header = ['a', 'b', 'c', 'd'].slice(0, width);
          const lines = [header, ...table.map((row) => row.slice(0, width))].map((row) => row.map(quote).join(','));
          const expected = table.map((row) =>
            Object.fromEntries(header.map((name, i) => [name, row[i] === 'NULL' ? null : row[i]])),
          );
          expect(convert(lines.join('\n'))).toMatchObject({ rows: expected });
        },
      ),
    );
  });

  test('whatever comes in, what comes out is JSON', () => {
    fc.assert(
      fc.property(cell, (text) => {
        const rows = csvToJson(Buffer.from(text));
        if (rows.ok) expect(scanJson(rows.value.bytes)).toEqual({ kind: 'array', keys: rows.value.keys });
      }),
      { numRuns: 500 },
    );
  });
});
