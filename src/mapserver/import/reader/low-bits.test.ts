import { expect, test } from 'vitest';
import { lowBitsQuery, roundedColumns } from './low-bits.ts';

const about = (doubles: readonly string[], lists: readonly string[] = []) => ({
  layer: 'a "b"',
  columns: ['n', ...doubles, ...lists],
  doubles,
  lists,
});

test('names are quoted as OGR SQL reads them, quotation marks and backslashes among them', () => {
  const query = lowBitsQuery(about(['e"', 'b\\s', 'both\\"x'])) ?? '';
  for (const name of ['"e\\""', '"b\\s"', '"both\\\\"x"', '"survest low bits of e\\""']) expect(query).toContain(name);
  expect(query).toMatch(/FROM "a \\"b\\""$/);
});

test.each([
  ['none', about(['d', 'e"']), []],
  ['a name that ends in a backslash', about(['d', 'end\\']), ['end\\']],
  ['a name that means something else', about(['d', 'FID']), ['FID']],
  ['lists', about(['d'], ['many']), ['many']],
  ['all, where names differ in case alone', about(['d', 'D']), ['d', 'D']],
  ['lists, where there is nothing else', about([], ['many']), ['many']],
])('columns whose numbers keep 15 digits are named: %s', (_what, layer, names) => {
  expect(roundedColumns(layer)).toEqual(names);
});
