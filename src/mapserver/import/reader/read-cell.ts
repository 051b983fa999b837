// A cell as somebody says it has to be read → the value as PostgreSQL takes it; nothing, or what it cannot be. Pure, and linear.

import type { CellType, DateOrder } from '../../../layer-ports/table-choices.ts';

export type CellReading = { readonly comma: boolean; readonly dates: DateOrder };

/** Null: there is nothing. Undefined: it cannot be read so. */
export function readCell(cell: string, type: CellType, reading: CellReading): string | null | undefined {
  const value = cell.trim();
  if (value === '') return null;
  switch (type) {
    case 'text':
      return cell;
    case 'integer':
      return /^[-+]?\d{1,19}$/.test(value) && isBigint(value) ? value.replace('+', '') : undefined;
    case 'number':
      return readNumber(value, reading.comma);
    case 'boolean':
      return TRUE.has(value.toLowerCase()) ? 'true' : FALSE.has(value.toLowerCase()) ? 'false' : undefined;
    case 'date':
      return readDate(value, reading.dates);
    case 'time':
      return readTime(value, reading.dates);
  }
}

const TRUE: ReadonlySet<string> = new Set(['true', 't', 'yes', 'y', 'ja', 'j', 'oui', 'o', 'sí', 'si', 's', '1', 'x']);
const FALSE: ReadonlySet<string> = new Set(['false', 'f', 'no', 'n', 'nein', 'non', '0', '-']);

function isBigint(value: string): boolean {
  const number = BigInt(value.replace('+', ''));
  return number >= -(2n ** 63n) && number < 2n ** 63n;
}

/** With a comma, points and blanks divide thousands, and without one commas do: only between three digits and three. */
function readNumber(value: string, comma: boolean): string | undefined {
  const [whole = '', ...rest] = value.split(comma ? ',' : '.');
  if (rest.length > 1) return undefined;
  const groups = whole.split(comma ? /[. \u00a0\u202f]/ : /[, \u00a0\u202f]/);
  const [first = '', ...others] = groups;
  if (others.length > 0 && (!/^[-+]?\d{1,3}$/.test(first) || !others.every((group) => /^\d{3}$/.test(group))))
    return undefined;
  const plain = [groups.join(''), ...rest].join('.');
  if (!/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?$/.test(plain)) return undefined;
  return Number.isFinite(Number(plain)) ? plain.replace('+', '') : undefined;
}

const ORDERS: Readonly<Record<DateOrder, readonly [year: number, month: number, day: number]>> = {
  ymd: [0, 1, 2],
  dmy: [2, 1, 0],
  mdy: [2, 0, 1],
};

/** Year first is understood whatever is chosen. */
function readDate(value: string, order: DateOrder): string | undefined {
  const parts = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})$/.exec(value)?.slice(1);
  if (parts === undefined) return undefined;
  const [year, month, day] = ORDERS[(parts[0] ?? '').length > 2 ? 'ymd' : order].map((at) => parts[at] ?? '');
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (month.length > 2 || day.length > 2 || (year.length !== 4 && year.length !== 2)) return undefined;
  // Of two digits: up to 45 of this century, the others of the last.
  const full = year.length === 4 ? Number(year) : Number(year) + (Number(year) > 45 ? 1900 : 2000);
  const date = new Date(Date.UTC(full, Number(month) - 1, Number(day)));
  const isDay = full > 0 && date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
  return isDay ? `${String(full).padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : undefined;
}

function readTime(value: string, order: DateOrder): string | undefined {
  const at = value.search(/[ T]/);
  const date = readDate(at < 0 ? value : value.slice(0, at), order);
  if (date === undefined || at < 0) return date;
  const rest = value.slice(at + 1).trim();
  const found = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?\s?(Z|[-+]\d\d(?::?\d\d)?)?$/.exec(rest);
  if (found === null) return undefined;
  const [hour, minute, second] = [Number(found[1]), Number(found[2]), Number(found[3] ?? '0')];
  return hour < 24 && minute < 60 && second < 60 ? `${date} ${rest.replace(',', '.')}` : undefined;
}

/** The orders in which all of some values can be dates that are not written year first; none of none. */
export function makeDateOrders(): { look(value: string): void; readonly orders: readonly DateOrder[] } {
  let possible: readonly DateOrder[] = ['dmy', 'mdy'];
  let isAny = false;
  return {
    look(value) {
      if (value === '' || possible.length === 0) return;
      isAny = true;
      const isYearFirst = /^\d{4}/.test(value);
      possible = isYearFirst ? [] : possible.filter((order) => readTime(value, order) !== undefined);
    },
    get orders() {
      return isAny ? possible : [];
    },
  };
}
