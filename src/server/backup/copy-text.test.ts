import { expect, test } from 'vitest';
import { copyInText, copyOutText } from './copy-text.ts';

const table = { schema: 'a', name: 'B "c"', columns: ['id', 'Name'] };

test('a table is copied by name, and by a query where COPY of a table would not do', () => {
  const plain = copyOutText(table, false);
  expect(plain).toContain('"a"."B ""c"""');
  expect(plain).toMatch(/"id", "Name"/);
  expect(plain.toLowerCase()).not.toContain('select');
  for (const text of [
    copyOutText(table, true),
    copyOutText({ ...table, isPartitioned: true }, false),
    copyOutText({ ...table, where: 'id > 5' }, false),
    copyOutText({ ...table, columns: [] }, false),
  ])
    expect(text.toLowerCase()).toContain('select');
  expect(copyOutText({ ...table, where: 'id > 5' }, false)).toContain('id > 5');
  expect(copyInText(table)).toMatch(/"B ""c""".*"id", "Name".*from/i);
});
