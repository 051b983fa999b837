import { expect, test } from 'vitest';
import { dataNumber } from './data-number.ts';
import { makeText } from './i18n/text.ts';

const t = makeText('en');

test.each([
  [2024, 'built', '2024'],
  [2024, undefined, '2024'],
  [1981.5, 'height', '1981.5'],
  [100_001, 'tree_id', '100001'],
  [100_001, 'treeId', '100001'],
  [100_001, 'OBJECTID', '100001'],
  [20_240_101, 'Baujahr', '20240101'],
  [1_234_567, 'population', '1,234,567'],
  [1_234_567, 'grid cells', '1,234,567'],
  [-12_345.25, undefined, '-12,345.25'],
])('%d of the column %s is shown as %s', (value, column, shown) => {
  expect(dataNumber(t, value, column)).toBe(shown);
});
