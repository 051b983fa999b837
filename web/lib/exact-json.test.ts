// Whole numbers that JavaScript's have no room for, on their way from and to the portal.

import { expect, test } from 'vitest';
import { parseGroups, parseRows, parseToWrite, prettyJson, typedNumber, writtenNumber } from './exact-json.ts';

const hasSources = 'rawJSON' in JSON;

test.skipIf(!hasSources)('cells of rows keep all their digits', () => {
  expect(parseRows('[{"id":9007199254740993,"n":7,"x":0.30000000000000004,"t":"1234567890123456789"}]')).toEqual([
    { id: '9007199254740993', n: 7, x: 0.300_000_000_000_000_04, t: '1234567890123456789' },
  ]);
});

test.skipIf(!hasSources)('so do names and properties of features', () => {
  const one =
    '{"type":"Feature","id":-9007199254740993,"geometry":null,"properties":{"a":12345678901234567890,"b":null}}';
  const read = {
    type: 'Feature',
    id: '-9007199254740993',
    geometry: null,
    properties: { a: '12345678901234567890', b: null },
  };
  expect(parseRows(one)).toEqual(read);
  expect(parseRows(`{"type":"FeatureCollection","features":[${one}]}`)).toEqual({
    type: 'FeatureCollection',
    features: [read],
  });
});

test.skipIf(!hasSources)('a document within a row is written as it was read', () => {
  const [row] = parseRows('[{"doc":{"big":[9007199254740993]}}]') as [{ doc: unknown }];
  expect(JSON.stringify(row.doc)).toBe('{"big":[9007199254740993]}');
  expect(JSON.stringify(parseToWrite('{"a":9007199254740993}'))).toBe('{"a":9007199254740993}');
  expect(prettyJson('{"a":9007199254740993}')).toBe('{\n  "a": 9007199254740993\n}');
});

test('what is no JSON is no JSON, and short numbers are numbers', () => {
  expect(() => parseRows('{')).toThrow();
  expect(prettyJson('nothing')).toBe('nothing');
  expect(parseRows('[{"a":1}]')).toEqual([{ a: 1 }]);
  expect(parseRows('null')).toBeNull();
});

test.skipIf(!hasSources)('values that name groups keep their digits, and counts are numbers', () => {
  expect(
    parseGroups(
      '{"count":3,"groups":[{"value":9007199254740993,"count":2,"measure":9007199254740993},{"value":7,"count":1}]}',
    ),
  ).toEqual({
    count: 3,
    groups: [
      { value: '9007199254740993', count: 2, measure: 9_007_199_254_740_992 },
      { value: 7, count: 1 },
    ],
  });
  expect(parseGroups('{"count":1,"groups":[{"from":0,"to":1,"count":1}]}')).toEqual({
    count: 1,
    groups: [{ from: 0, to: 1, count: 1 }],
  });
});

test.skipIf(!hasSources)('what is typed is written with all its digits', () => {
  const written = (text: string): string => JSON.stringify(writtenNumber(typedNumber(text) ?? 'none'));
  for (const text of ['9007199254740993', '-0.12345678901234567890', '7', '2.5'])
    expect(written(text), text).toBe(text);
  expect(written(' 0005 ')).toBe('5');
  for (const text of ['', ' ', 'x', '1e400', '12345678901234567890x']) expect(typedNumber(text)).toBeUndefined();
});
