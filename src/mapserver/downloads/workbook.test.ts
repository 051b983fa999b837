import { expect, test } from 'vitest';
import { SHEET_TAIL, type SheetColumn, sheetHead, sheetRow, workbookParts } from './workbook.ts';

const column = (kind: SheetColumn['kind'], isDouble = false): SheetColumn => ({ kind, isDouble });
const cell = (kind: SheetColumn['kind'], text: string | null, isDouble = false): string =>
  sheetRow([column(kind, isDouble)], [text], 2)
    .replace(/^<row r="2">|<\/row>$/g, '')
    .replace(' r="A2"', '');
const text = (said: string): string => `<c t="inlineStr"><is><t xml:space="preserve">${said}</t></is></c>`;

test.each([
  ['integer', '42', '<c><v>42</v></c>'],
  ['integer', '9007199254740993', text('9007199254740993')],
  ['number', '-1.5', '<c><v>-1.5</v></c>'],
  ['number', '0.1234567890123456789', text('0.1234567890123456789')],
  ['number', 'NaN', text('NaN')],
  ['boolean', 'true', '<c t="b"><v>1</v></c>'],
  ['boolean', 'false', '<c t="b"><v>0</v></c>'],
  ['date', '1970-01-01', '<c s="2"><v>25569</v></c>'],
  ['date', '1899-05-01', text('1899-05-01')],
  ['date', 'infinity', text('infinity')],
  ['time', '1970-01-01T12:00:00+00:00', '<c s="3"><v>25569.5</v></c>'],
  ['time', '1970-01-01T12:00:00', '<c s="3"><v>25569.5</v></c>'],
  ['text', '=HYPERLINK("http://x")', text('=HYPERLINK(&quot;http://x&quot;)')],
  ['text', 'a\u0007b _x0041_ <&> \ud800', text('a_x0007_b _x005F_x0041_ &lt;&amp;&gt; \ufffd')],
  ['text', null, ''],
] as const)('a cell of the class %s with %j is %s', (kind, value, expected) => {
  expect(cell(kind, value)).toBe(expected);
});

test('doubles keep the digits that spreadsheets keep as well', () => {
  expect(cell('number', '0.30000000000000004', true)).toBe('<c><v>0.30000000000000004</v></c>');
  expect(cell('number', 'Infinity', true)).toBe(text('Infinity'));
});

test('a text longer than a cell is cut, and says so', () => {
  expect(cell('text', 'x'.repeat(40_000))).toBe(text(`${'x'.repeat(32_766)}…`));
});

test('the sheet is called like the table as far as a sheet can be', () => {
  const name = (title: string): string | undefined =>
    /sheet name="([^"]*)"/.exec(workbookParts(title).get('xl/workbook.xml') ?? '')?.[1];
  expect(name('Zahlen [2024]: a/b')).toBe('Zahlen  2024   a b');
  expect(name("''")).toBe('Table');
  expect(name('x'.repeat(50))).toHaveLength(31);
});

test('cells have their places', () => {
  const columns = Array.from({ length: 704 }, () => column('integer'));
  const row = sheetRow(
    columns,
    columns.map((_, i) => (i === 27 || i === 703 ? '1' : null)),
    9,
  );
  expect(row).toBe('<row r="9"><c r="AB9"><v>1</v></c><c r="AAB9"><v>1</v></c></row>');
});

test('the head of a sheet has the names of the columns', () => {
  expect(`${sheetHead(['a<b'])}${SHEET_TAIL}`).toContain('<t xml:space="preserve">a&lt;b</t>');
});
