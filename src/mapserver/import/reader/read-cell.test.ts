import { expect, test } from 'vitest';
import type { CellType } from '../../../layer-ports/table-choices.ts';
import { makeDateOrders, readCell } from './read-cell.ts';

const point = { comma: false, dates: 'ymd' } as const;
const german = { comma: true, dates: 'dmy' } as const;
const american = { comma: false, dates: 'mdy' } as const;

test.each<readonly [string, CellType, typeof point | typeof german | typeof american, string | null | undefined]>([
  ['', 'integer', point, null],
  [' 12 ', 'integer', point, '12'],
  ['007', 'integer', point, '007'],
  ['9223372036854775808', 'integer', point, undefined],
  ['1.5', 'integer', point, undefined],
  ['1.5', 'number', point, '1.5'],
  ['1,234.5', 'number', point, '1234.5'],
  ['1,23', 'number', point, undefined],
  ['1.234,5', 'number', german, '1234.5'],
  ['1 234,5', 'number', german, '1234.5'],
  ['1,5', 'number', german, '1.5'],
  ['1.5', 'number', german, undefined],
  ['12.34.5', 'number', point, undefined],
  ['1e400', 'number', point, undefined],
  ['Ja', 'boolean', german, 'true'],
  ['0', 'boolean', german, 'false'],
  ['maybe', 'boolean', german, undefined],
  ['31.12.2024', 'date', german, '2024-12-31'],
  ['1.2.24', 'date', german, '2024-02-01'],
  ['1.2.87', 'date', german, '1987-02-01'],
  ['12/31/2024', 'date', american, '2024-12-31'],
  ['31/12/2024', 'date', american, undefined],
  ['30.2.2024', 'date', german, undefined],
  ['2024-02-29', 'date', german, '2024-02-29'],
  ['31.12.2024 7:05', 'time', german, '2024-12-31 7:05'],
  ['31.12.2024 24:05', 'time', german, undefined],
  ['2024-12-31T07:05:01.5Z', 'time', point, '2024-12-31 07:05:01.5Z'],
  [' as it is ', 'text', point, ' as it is '],
])('%j as %s is read with %j as %j', (cell, type, reading, read) => {
  expect(readCell(cell, type, reading)).toBe(read);
});

test('the orders of dates are those in which all of them are some', () => {
  const of = (...values: readonly string[]): readonly string[] => {
    const orders = makeDateOrders();
    for (const value of values) orders.look(value);
    return orders.orders;
  };
  expect(of('1.2.2024', '3.4.2024')).toEqual(['dmy', 'mdy']);
  expect(of('1.2.2024', '', '13.4.2024')).toEqual(['dmy']);
  expect(of('1/13/2024')).toEqual(['mdy']);
  expect(of('1.2.2024', 'soon')).toEqual([]);
  expect(of('2024-01-02')).toEqual([]);
  expect(of('')).toEqual([]);
});
