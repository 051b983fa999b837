import { describe, expect, test } from 'vitest';
import type { StatementResult } from './driver.ts';
import { jsonRow, objects, textRows } from './rows.ts';

function result(rows: (string | null)[][], types?: number[]): StatementResult {
  return {
    rows: rows.map((row) => row.map((cell) => (cell === null ? null : Buffer.from(cell)))),
    tag: `SELECT ${rows.length}`,
    ...(types === undefined ? {} : { fields: types.map((type, i) => ({ name: `c${i}`, type })) }),
  };
}

describe('objects', () => {
  test.each([
    ['bool', 16, 't', true],
    ['bool', 16, 'f', false],
    ['int2', 21, '-7', -7],
    ['int4', 23, '42', 42],
    ['oid', 26, '4294967295', 4_294_967_295],
    ['int8', 20, '9007199254740991', 9_007_199_254_740_991],
    ['int8 beyond what a number holds', 20, '9007199254740993', '9007199254740993'],
    ['float8', 701, '1.5e-7', 1.5e-7],
    ['float8', 701, '-Infinity', Number.NEGATIVE_INFINITY],
    ['numeric', 1700, '0.10', '0.10'],
    ['json', 114, '{"a":[1,null]}', { a: [1, null] }],
    ['jsonb', 3802, 'null', null],
    ['bytea', 17, '\\x00ff', Buffer.from([0, 255])],
    ['text', 25, '', ''],
    ['timestamptz', 1184, '2024-01-01 00:00:00+00', '2024-01-01 00:00:00+00'],
    ['NULL', 23, null, null],
  ])('%s', (_name, type, cell, expected) => {
    expect(objects(result([[cell]], [type]))).toEqual([{ c0: expected }]);
  });

  test('a statement that was not described is a mistake of the caller', () => {
    expect(() => objects(result([['1']]))).toThrow('described');
  });
});

test('textRows keeps NULL and the empty string apart', () => {
  expect(textRows(result([[null, '', 'é']]))).toEqual([[null, '', 'é']]);
});

test.each([
  ['a document', [['{"a":1}']], { a: 1 }],
  ['NULL', [[null]], undefined],
  ['no row', [], undefined],
])('jsonRow of %s', (_name, rows, expected) => {
  expect(jsonRow(result(rows))).toEqual(expected);
});
