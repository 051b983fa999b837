// Dates and moments far from today: days and microseconds as PostgreSQL counts them (`date - '1970-01-01'`, the epoch of a timestamp).

import { describe, expect, test } from 'vitest';
import { type CellValue, cellValue } from './cell-value.ts';
import type { ColumnType } from './column-type.ts';

function held(type: ColumnType, text: string): CellValue {
  const bytes = Buffer.from(text);
  return cellValue(type, bytes, 0, bytes.length);
}

describe('a date', () => {
  test.each([
    ['1970-01-01', 0],
    ['2000-02-29', 11_016],
    ['1900-03-01', -25_508],
    ['0044-03-15 BC', -735_160],
    ['0001-02-29 BC', -719_469],
    ['0005-02-29 BC', -720_930],
    ['4713-01-01 BC', -2_440_550],
    ['275760-09-14', 100_000_001],
    ['300000-02-29', 108_853_281],
    ['5874897-12-31', 2_145_042_905],
    ['infinity', null],
    ['-infinity', null],
  ])('%s', (text, days) => {
    expect(held({ kind: 'date' }, text)).toBe(days);
  });
});

describe('a moment', () => {
  test.each([
    ['4713-01-01 00:00:00 BC', -210_863_520_000_000_000n],
    ['294247-01-10 04:00:54.775807', 9_223_372_036_854_775_807n],
    ['294247-01-10 04:00:54.775808', null],
    ['294276-12-31 23:59:59.999999', null],
    ['infinity', null],
  ])('%s', (text, micros) => {
    expect(held({ kind: 'timestamp', isUtc: false }, text)).toBe(micros);
  });
});
