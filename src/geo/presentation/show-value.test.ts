import { expect, test } from 'vitest';
import { type ColumnFormat, FORMAT_KINDS, newFormat, parseColumnFormat } from './column-format.ts';
import { showValue } from './show-value.ts';

const english = { language: 'en', yes: 'yes', no: 'no', timeZone: 'UTC' };
const german = { language: 'de', yes: 'ja', no: 'nein', timeZone: 'Europe/Berlin' };
const text = (value: unknown, format: unknown, words = english): string =>
  showValue(value, { name: 'value', format: parseColumnFormat(format) }, words).text.replaceAll(/[\u00a0\u202f]/g, ' ');

test.each([
  [1234.5, undefined, '1234.5'],
  [12_345.5, undefined, '12,345.5'],
  [true, undefined, 'yes'],
  [null, { kind: 'number' }, ''],
  [{ a: 1 }, { kind: 'number' }, '{"a":1}'],
  ['many', { kind: 'number' }, 'many'],
  [1234.567, { kind: 'number', decimals: 1 }, '1,234.6'],
  [1234, { kind: 'number', decimals: 2, thousands: false }, '1234.00'],
  ['12345678901234567890', { kind: 'number' }, '12,345,678,901,234,567,890'],
  [1234.5, { kind: 'currency', currency: 'EUR' }, '€1,234.50'],
  [1234.5, { kind: 'currency', currency: 'JPY' }, '¥1,235'],
  [0.125, { kind: 'percent', of: 1 }, '12.5%'],
  [12.5, { kind: 'percent', of: 100, decimals: 0 }, '13%'],
  ['2024-03-01', { kind: 'date' }, 'Mar 1, 2024'],
  ['2024-03-01', { kind: 'date', time: true }, 'Mar 1, 2024'],
  ['2024-03-01T23:30:00', { kind: 'date', time: true, length: 'short' }, '3/1/24, 11:30 PM'],
  ['2024-03-01T23:30:00+02', { kind: 'date', time: true, length: 'short' }, '3/1/24, 9:30 PM'],
  ['2024-13-41', { kind: 'date' }, '2024-13-41'],
  ['soon', { kind: 'date' }, 'soon'],
])('%j with the format %j is shown as %s', (value, format, shown) => {
  expect(text(value, format)).toBe(shown);
});

test('languages have their own signs and order', () => {
  expect(text(1234.5, { kind: 'currency', currency: 'EUR' }, german)).toBe('1.234,50 €');
  expect(text(12.5, { kind: 'percent' }, german)).toBe('12,5 %');
  expect(text('2024-03-01T23:30:00Z', { kind: 'date', length: 'long', time: true }, german)).toBe(
    '2. März 2024 um 00:30',
  );
  expect(text(false, undefined, german)).toBe('nein');
});

test.each<[string, ColumnFormat, unknown]>([
  [
    'https://a.example/x',
    { kind: 'link', text: '' },
    { kind: 'link', to: 'https://a.example/x', text: 'https://a.example/x' },
  ],
  ['www.a.example', { kind: 'link', text: 'Site' }, { kind: 'link', to: 'https://www.a.example', text: 'Site' }],
  ['javascript:alert(1)', { kind: 'link', text: '' }, { kind: 'text', text: 'javascript:alert(1)' }],
  ['//elsewhere.example', { kind: 'link', text: '' }, { kind: 'text', text: '//elsewhere.example' }],
  ['ada@example.org', { kind: 'email' }, { kind: 'link', to: 'mailto:ada@example.org', text: 'ada@example.org' }],
  ['ada@example.org?bcc=x@y', { kind: 'email' }, { kind: 'text', text: 'ada@example.org?bcc=x@y' }],
  ['/documents/7/a.png', { kind: 'picture' }, { kind: 'picture', from: '/documents/7/a.png', text: 'a.png' }],
  [
    'https://a.example/b.jpg?s=1',
    { kind: 'picture' },
    { kind: 'link', to: 'https://a.example/b.jpg?s=1', text: 'b.jpg' },
  ],
  ['data:text/html,x', { kind: 'picture' }, { kind: 'text', text: 'data:text/html,x' }],
])('%s with the format %j leads nowhere that runs', (value, format, shown) => {
  expect(showValue(value, { name: 'a', format }, english)).toEqual(shown);
});

test('what every kind begins with is read as it was written; what is none is refused', () => {
  for (const kind of FORMAT_KINDS) expect(parseColumnFormat(newFormat(kind))).toEqual(newFormat(kind));
  for (const none of [
    null,
    'number',
    {},
    { kind: 'color' },
    { kind: 'currency', currency: 'euro' },
    { kind: 'number', decimals: 11 },
  ])
    expect(parseColumnFormat(none)).toBeUndefined();
});
