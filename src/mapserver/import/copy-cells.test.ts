import { expect, test } from 'vitest';
import { copyCells } from './copy-cells.ts';

test.each([
  ['plain cells', 'a\tb\tc\n', ['a', 'b', 'c']],
  ['a tab inside a value, as GDAL writes it', 'a\\\tb\tc\n', ['a\\\tb', 'c']],
  ['a backslash before the end of a cell', 'a\\\\\tb\n', ['a\\\\', 'b']],
  ['a line break inside a value', 'a\\nb\tc\n', ['a\\nb', 'c']],
  ['empty cells, and none', '\t\\N\t\n', ['', '\\N', '']],
  ['no end of line', 'a\tb', ['a', 'b']],
  ['a backslash at the end of the text', 'a\tb\\', ['a', 'b\\']],
])('%s', (_what, line, cells) => {
  expect(copyCells(Buffer.from(line)).map(String)).toEqual(cells);
});
