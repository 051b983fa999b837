import { expect, test } from 'vitest';
import { firstCategory, firstNumber } from './first-column.ts';

const column = (attribute: string, type: string, known: object = {}) => ({
  attribute,
  attribute_type: `xsd:${type}`,
  visible: true,
  count: 100,
  min: 'NA',
  max: 'NA',
  average: 'NA',
  stddev: 'NA',
  unique_values: 'NA',
  ...known,
});
const number = (attribute: string, [min, max, average, stddev]: readonly number[], type = 'double') =>
  column(attribute, type, { min: `${min}`, max: `${max}`, average: `${average}`, stddev: `${stddev}` });
const values = (n: number): object => ({ unique_values: Array.from({ length: n }, (_, i) => `v${i}`).join(',') });

const NAME = column('name', 'string');
const CODE = column('code', 'string', values(3));
const COUNTRY = column('country', 'string', values(2));
const STREET = column('street', 'string', values(18));
const ONE = column('source', 'string', values(1));

test.each([
  ['two to twelve values', [NAME, CODE, STREET, COUNTRY], 'country'],
  ['more values before nobody knows how many', [NAME, ONE, STREET], 'street'],
  ['words before numbers', [column('height', 'double'), NAME], 'name'],
  ['anything before one value', [ONE, column('height', 'double')], 'height'],
  ['what is shown before what is hidden', [{ ...COUNTRY, visible: false }, NAME], 'name'],
  ['nothing where there is nothing', [], ''],
])('categories begin with a column of %s', (_, columns, chosen) => {
  expect(firstCategory(columns)).toBe(chosen);
});

const ID = number('gid', [1, 1e6, 5e5, 4e5], 'int');
const RUNNING = number('number', [1, 100, 50.5, 29], 'int');
const YEAR = number('year', [1900, 2020, 1980, 1000], 'int');
const SAME = number('same', [5, 5, 5, 0]);
const LON = number('lon', [-180, 180, 1, 90]);
const FLAT = number('flat', [90, 110, 100, 2]);
const STEEP = number('steep', [0, 900, 30, 80]);

test.each([
  ['the one of most variation', [ID, RUNNING, YEAR, SAME, LON, FLAT, STEEP], 'steep'],
  ['one that is known to vary', [column('unknown', 'double'), FLAT], 'flat'],
  ['one that nobody knows before an id', [ID, column('unknown', 'double')], 'unknown'],
  ['an id before none', [ID], 'gid'],
])('classes begin with %s', (_, columns, chosen) => {
  expect(firstNumber(columns)).toBe(chosen);
});
