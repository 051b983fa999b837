// A workbook (.xlsx) with one sheet, written as the rows come: the parts of the file, and each row as XML. Texts stand in the cells as texts, so that
// nothing in them is ever taken for a formula. Pure.

import type { ColumnClass } from '../columns/column-class.ts';

/** Of a sheet, the first being that of the names. */
export const MAX_SHEET_ROWS = 1_048_576;
/** Characters of a cell. */
const MAX_CELL = 32_767;
/** Digits that a number of a spreadsheet has; with more, it is a text. */
const EXACT_DIGITS = 15;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Where the sheet stands in the archive. */
export const SHEET_PART = 'xl/worksheets/sheet1.xml';

/** Places in the list of formats below. */
const STYLES = { head: 1, date: 2, time: 3 } as const;

/** Every part but the sheet, by its name in the archive. */
export function workbookParts(title: string): ReadonlyMap<string, string> {
  return new Map([
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/${SHEET_PART}" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
    ],
    [
      '_rels/.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${escaped(sheetName(title))}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    ],
    [
      'xl/styles.xml',
      `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ],
  ]);
}

/** Up to the first row; the names stay in sight. */
export function sheetHead(names: readonly string[]): string {
  const cells = names.map((name, i) => textCell(placeOf(i, 1), name, STYLES.head)).join('');
  return `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData><row r="1">${cells}</row>`;
}

export const SHEET_TAIL = '</sheetData></worksheet>';

export type SheetColumn = {
  readonly kind: ColumnClass;
  /** Its numbers are doubles, as those of a spreadsheet are. */
  readonly isDouble: boolean;
};

/** A row, of the texts that the database has for its values. `row`: its number; that of the first is 2. */
export function sheetRow(columns: readonly SheetColumn[], cells: readonly (string | null)[], row: number): string {
  return `<row r="${row}">${columns.map((column, i) => cellOf(column, cells[i] ?? null, placeOf(i, row))).join('')}</row>`;
}

/** `B2`. Some readers cannot do without. */
function placeOf(column: number, row: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return `${letters}${row}`;
}

function cellOf({ kind, isDouble }: SheetColumn, text: string | null, place: string): string {
  // What is not written is empty.
  if (text === null) return '';
  switch (kind) {
    case 'integer':
    case 'number':
      return isNumber(text, isDouble) ? `<c r="${place}"><v>${text}</v></c>` : textCell(place, text);
    case 'boolean':
      return `<c r="${place}" t="b"><v>${text === 'true' ? 1 : 0}</v></c>`;
    case 'date':
    case 'time': {
      const serial = serialOf(text);
      return serial === undefined ? textCell(place, text) : `<c r="${place}" s="${STYLES[kind]}"><v>${serial}</v></c>`;
    }
    case 'text':
    case 'json':
    case 'bytes':
      return textCell(place, text);
  }
}

function isNumber(text: string, isDouble: boolean): boolean {
  if (!/^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(text)) return false;
  return isDouble || text.replace(/\D/g, '').replace(/^0+/, '').length <= EXACT_DIGITS;
}

const DAY_MS = 86_400_000;
/** Day 0 of spreadsheets, as it is for all days from March 1900 on; before, they count a day that never was. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const FIRST_DAY = 61;

/** `2024-05-01` or `2024-05-01T12:00:00+00:00` as days; undefined: spreadsheets have no number for it. */
function serialOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:[-+]\d\d:\d\d)?)?$/.test(text)) return undefined;
  // A time without a zone is nobody's local time.
  const hasZone = text.length === 10 || /[-+]\d\d:\d\d$/.test(text);
  const days = (Date.parse(hasZone ? text : `${text}Z`) - DAY_ZERO) / DAY_MS;
  return days >= FIRST_DAY ? days : undefined;
}

function textCell(place: string, text: string, style = 0): string {
  const cut = text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text;
  return `<c r="${place}"${style === 0 ? '' : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${escaped(cut)}</t></is></c>`;
}

/** What XML cannot hold is written as the format has it: `_x0007_`; a text that looks so, too. */
function escaped(text: string): string {
  return (
    text
      .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
      .replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g, (one) => `_x${hex(one)}_`)
      .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  );
}

function hex(one: string): string {
  return one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}

/** 31 characters without some signs, and not nothing. */
function sheetName(title: string): string {
  const name = title
    .replace(/[\\/?*[\]:']/g, ' ')
    .trim()
    .slice(0, 31);
  return name === '' ? 'Table' : name;
}
