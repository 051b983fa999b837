// Cells that the database would refuse, and the whole file with them: days that no calendar has, and what is neither true nor false.
// Old formats have no null and write such values instead of it (a .dbf: 0000/00/00, 99999999, `?`); here they become null.

import { columnType, isTimeType } from './column-types.ts';
import type { DumpLayer } from './pgdump-reader.ts';

const TAB = 0x09;
const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;
const NULL = Buffer.from('\\N');

export type CellClearer = {
  clear(lines: Buffer): Buffer;
  /** Of values that stood for something and were lost. */
  readonly warnings: readonly string[];
};

type Verdict = 'possible' | 'empty' | 'impossible';
type Check = { readonly column: string; readonly isTime: boolean; impossible: number };

/** Undefined: the layer has no column that could hold such values. */
export function makeCellClearer({ columns, copied }: Pick<DumpLayer, 'columns' | 'copied'>): CellClearer | undefined {
  const checks = copied.map((name): Check | undefined => {
    const type = columnType(columns.find((column) => column.name === name)?.type ?? '');
    const isTime = isTimeType(type);
    return isTime || type === 'boolean' ? { column: name, isTime, impossible: 0 } : undefined;
  });
  if (checks.every((check) => check === undefined)) return undefined;

  function isCleared(check: Check, cell: string): boolean {
    if (cell === '\\N') return false;
    const verdict = check.isTime ? judgeDay(cell) : judgeBoolean(cell);
    if (verdict === 'impossible') check.impossible += 1;
    return verdict !== 'possible';
  }

  return {
    clear(lines) {
      const pieces: Buffer[] = [];
      let copiedTo = 0;
      let field = 0;
      let start = 0;
      for (let at = 0; at < lines.length; at += 1) {
        const byte = lines[at];
        // GDAL writes a tab inside a value as a backslash and the tab itself.
        if (byte === BACKSLASH) at += 1;
        if (byte !== TAB && byte !== NEWLINE) continue;
        const check = checks[field];
        if (check !== undefined && isCleared(check, lines.toString('latin1', start, at))) {
          pieces.push(lines.subarray(copiedTo, start), NULL);
          copiedTo = at;
        }
        field = byte === NEWLINE ? 0 : field + 1;
        start = at + 1;
      }
      return pieces.length === 0 ? lines : Buffer.concat([...pieces, lines.subarray(copiedTo)]);
    },
    get warnings() {
      return checks.flatMap((check) => (check === undefined || check.impossible === 0 ? [] : [warningOf(check)]));
    },
  };
}

function warningOf({ column, isTime, impossible }: Check): string {
  const what = isTime ? 'a day of the calendar' : 'true or false';
  return `${impossible} ${impossible === 1 ? 'value' : 'values'} of the column "${column.slice(0, 60)}" cannot be read as ${what}: left empty.`;
}

/** The last year of a timestamp in PostgreSQL. */
const LAST_YEAR = 294_276;

/** As GDAL writes days: `2021/05/17`, perhaps with a time behind it. */
function judgeDay(cell: string): Verdict {
  const found = /^(\d{4,6})[/-](\d\d)[/-](\d\d)(?!\d)/.exec(cell);
  if (found === null) return 'impossible';
  const [year = 0, month = 0, day = 0] = found.slice(1).map(Number);
  if (year === 0 && month === 0 && day === 0) return 'empty';
  const isDay = year > 0 && year <= LAST_YEAR && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
  return isDay ? 'possible' : 'impossible';
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function judgeBoolean(cell: string): Verdict {
  if (/^(?:[tfyn01]|true|false)$/i.test(cell)) return 'possible';
  return cell === '?' || cell.trim() === '' ? 'empty' : 'impossible';
}
