import { describe, expect, test } from 'vitest';
import { type BodyPiece, BodySplitter, type SplitKind } from './body-pieces.ts';
import { csvToJson } from './csv-to-json.ts';

/** The body cut into chunks of a few bytes, as it may come. */
function split(kind: SplitKind, text: string, piece = 20, chunk = 3): readonly BodyPiece[] | string {
  const splitter = new BodySplitter(kind, { piece, row: 90 });
  const bytes = Buffer.from(text);
  const pieces: BodyPiece[] = [];
  for (let at = 0; at < bytes.length; at += chunk) {
    const pushed = splitter.push(bytes.subarray(at, at + chunk));
    if (!pushed.ok) return pushed.error.kind;
    if (pushed.value !== undefined) pieces.push(pushed.value);
  }
  const last = splitter.finish();
  if (!last.ok) return last.error.kind;
  return last.value === undefined ? pieces : [...pieces, last.value];
}

function texts(kind: SplitKind, text: string, piece?: number, chunk?: number): readonly string[] {
  const pieces = split(kind, text, piece, chunk);
  if (typeof pieces === 'string') throw new Error(pieces);
  return pieces.map(({ bytes }) => bytes.toString());
}

describe('a JSON array', () => {
  const rows = [
    { a: 1, b: 'x,]"[{\\' },
    { a: 2, b: ['é', { c: '}' }] },
    { a: 3, b: null },
    { a: 4, b: '\\"' },
  ];

  test('is cut between its elements, wherever the bytes are cut', () => {
    for (const text of [JSON.stringify(rows), ` ${JSON.stringify(rows, null, 1)}\n`])
      for (let chunk = 1; chunk < 30; chunk++) {
        const pieces = texts('json', text, 20, chunk);
        expect(pieces.length).toBeGreaterThan(1);
        expect(pieces.flatMap((piece) => JSON.parse(piece))).toEqual(rows);
      }
  });

  test('has its rows counted', () => {
    const pieces = split('json', JSON.stringify(rows)) as readonly BodyPiece[];
    let before = 0;
    for (const piece of pieces) {
      expect(piece.before).toBe(before);
      expect(piece.rows).toBe(JSON.parse(piece.bytes.toString()).length);
      before += piece.rows;
    }
    expect(before).toBe(rows.length);
  });

  test('of nothing, and what is no array, is one piece', () => {
    expect(texts('json', '[]')).toEqual(['[]']);
    expect(texts('json', '{"a": [1, 2], "b": "x"}', 5)).toEqual(['{"a": [1, 2], "b": "x"}']);
    expect(texts('json', '')).toEqual(['']);
  });

  test.each([
    '[{"a":1},{"a":2},{"a":3},{"a":4}',
    '[{"a":1},{"a":2},{"a":3},{"a":4},]',
    '[{"a":1},{"a":2},{"a":3}] x',
    '[{"a":1},{"a":2},{"a":3}]]',
  ])('%s is refused', (text) => {
    expect(split('json', text)).toBe('json-invalid');
  });

  test('with a row larger than may be held is refused', () => {
    expect(split('json', `[{"a":1},{"a":"${'x'.repeat(120)}"}]`)).toBe('row-too-large');
  });
});

test('lines are cut between them, and blank ones are no rows', () => {
  const text = '{"a":1}\n\n{"a":2}\r\n{"a":3}\n  \n{"a":4}\n{"a":5}';
  for (let chunk = 1; chunk < 20; chunk++) {
    const pieces = split('ndjson', text, 15, chunk) as readonly BodyPiece[];
    expect(pieces.map(({ bytes }) => bytes.toString()).join('')).toBe(text);
    expect(pieces.reduce((sum, { rows }) => sum + rows, 0)).toBe(5);
    expect(pieces.length).toBeGreaterThan(1);
  }
});

describe('CSV', () => {
  const header = 'id,"na""me"\r\n';
  const rows = ['1,"a\r\nb"\r\n', '2,5" pipe\r\n', '3,"x,""y"""\r\n', '\r\n', '4,\r\n', '5,NULL'];

  function rowsOf(text: string): readonly unknown[] {
    const read = csvToJson(Buffer.from(text));
    if (!read.ok) throw new Error(read.error.kind);
    return JSON.parse(Buffer.from(read.value.bytes).toString());
  }

  test('is cut between its rows, below the header again', () => {
    for (let chunk = 1; chunk < 30; chunk++) {
      const pieces = texts('csv', header + rows.join(''), 25, chunk);
      expect(pieces.length).toBeGreaterThan(1);
      expect(pieces.flatMap(rowsOf)).toEqual(rowsOf(header + rows.join('')));
    }
  });

  test('has rows and lines counted', () => {
    const pieces = split('csv', header + rows.join(''), 25, 1) as readonly BodyPiece[];
    expect(pieces.reduce((sum, piece) => sum + piece.rows, 0)).toBe(5);
    const [first, second] = pieces;
    expect(first?.lines).toBe(0);
    const linesOfFirst = (first?.bytes.toString().match(/\r\n/g) ?? []).length;
    expect(second?.lines).toBe(linesOfFirst - 1);
  });
});
