import { expect, test } from 'vitest';
import { csvText } from './csv-text.ts';

test('rows are CSV: nothing is not an empty text, and no cell is a formula', () => {
  const rows = [
    ['x', null],
    ['', 'say "hi"'],
    ['=1+1', '-5.2e3'],
    ['two\nlines', '-x'],
  ];
  expect(csvText(['a', 'b,c'], rows)).toBe(
    'a,"b,c"\r\nx,\r\n"","say ""hi"""\r\n\'=1+1,-5.2e3\r\n"two\nlines",\'-x\r\n',
  );
});
