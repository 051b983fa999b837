import { expect, test } from 'vitest';
import { linesToJson } from './lines-to-json.ts';

const read = (text: string): unknown => {
  const rows = linesToJson(Buffer.from(text));
  return rows.ok ? Buffer.from(rows.value).toString() : rows.error;
};

test.each([
  ['', '[]'],
  ['\n\r\n \n', '[]'],
  ['{"a":1}', '[{"a":1}]'],
  ['{"a":1}\n', '[{"a":1}]'],
  ['{"a":1}\r\n\r\n{"a":"x\\n"}\r\n', '[{"a":1}\r,{"a":"x\\n"}\r]'],
])('the lines %j are rows', (text, expected) => {
  expect(read(text)).toBe(expected);
});

test.each(['{"a":[1\n2]}', '{"a":1},{"a":2}', '1', '[{"a":1}]', '{"a":1}\n{', '"x"', '{"a":1} {"a":2}', '\ufffd'])(
  'each line is an object by itself, so %j is refused',
  (text) => {
    expect(read(text)).toEqual({ kind: 'json-invalid' });
  },
);

test('a line that is too deep is said to be', () => {
  expect(read(`{"a":${'['.repeat(1001)}`)).toMatchObject({ kind: 'json-too-deep' });
});
