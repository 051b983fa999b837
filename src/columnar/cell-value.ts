// A cell as PostgreSQL writes it, dates in ISO style and bytes in hex → the value that a column of its type holds. Null: the type has no such
// value (infinity of a date, a moment that 64 bits of microseconds do not reach, infinity and NaN of a decimal).

import { assertNever } from '../kernel/assert-never.ts';
import type { ColumnType } from './column-type.ts';
import { integerIn } from './number-cells.ts';
import { plainWkb } from './plain-wkb.ts';

/** bigint: int64, microseconds of timestamps and times, and the digits of decimals without their point. */
export type CellValue = boolean | number | bigint | string | Uint8Array | null;

export function cellValue(type: ColumnType, bytes: Buffer, from: number, to: number): CellValue {
  switch (type.kind) {
    case 'boolean':
      return bytes[from] === 0x74;
    case 'int16':
    case 'int32':
      return integerIn(bytes, from, to);
    case 'int64':
      return BigInt(bytes.toString('latin1', from, to));
    case 'float32':
    case 'float64':
      return floatIn(bytes.toString('latin1', from, to));
    case 'decimal':
      return digitsOf(bytes.toString('latin1', from, to), type.scale);
    case 'date':
      return dateIn(bytes.toString('latin1', from, to));
    case 'time':
      return timeIn(bytes.toString('latin1', from, to));
    case 'timestamp':
      return timestampIn(bytes.toString('latin1', from, to));
    case 'text':
    case 'json':
      return bytes.toString('utf8', from, to);
    case 'bytes':
      // Behind \x.
      return Buffer.from(bytes.toString('latin1', from + 2, to), 'hex');
    case 'geometry':
      return plainWkb(Buffer.from(bytes.toString('latin1', from, to), 'hex'));
    default:
      return assertNever(type);
  }
}

/** `NaN`, `Infinity` and `-Infinity` are written as they are here. */
function floatIn(text: string): number {
  return Number(text);
}

function digitsOf(text: string, scale: number): bigint | null {
  if (text === 'NaN' || text.endsWith('Infinity')) return null;
  const point = text.indexOf('.');
  const fraction = point < 0 ? '' : text.slice(point + 1);
  return BigInt((point < 0 ? text : text.slice(0, point)) + fraction.padEnd(scale, '0'));
}

const DATE = /^(\d{4,7})-(\d\d)-(\d\d)/;

/** Days since 1970; of a year before Christ, which PostgreSQL has no year 0 before, too. */
function daysIn(text: string): number | null {
  const [whole, year = '', month, day] = DATE.exec(text) ?? [];
  if (whole === undefined) return null;
  return daysOf(text.endsWith('BC') ? 1 - Number(year) : Number(year), Number(month), Number(day));
}

/** By the Gregorian calendar in all years: `Date` ends with the year 275760, and PostgreSQL does not. */
function daysOf(year: number, month: number, day: number): number {
  // A year from March has its leap day in the end.
  const isEarly = month <= 2;
  const years = isEarly ? year - 1 : year;
  const months = isEarly ? month + 9 : month - 3;
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return years * 365 + leapDays + Math.floor((months * 153 + 2) / 5) + day - 1 - DAYS_BEFORE_1970;
}

/** From 1 March of the year 0. */
const DAYS_BEFORE_1970 = 719_468;

function dateIn(text: string): number | null {
  return daysIn(text);
}

const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?/;
const OFFSET = /^([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?/;

/** Microseconds, and where they end. */
function microsIn(text: string, start: number): { readonly micros: number; readonly end: number } | undefined {
  const [whole, hours, minutes, seconds, fraction = ''] = TIME.exec(text.slice(start, start + 15)) ?? [];
  if (whole === undefined) return undefined;
  const inSeconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return { micros: inSeconds * 1_000_000 + Number(fraction.padEnd(6, '0')), end: start + whole.length };
}

function timeIn(text: string): bigint | null {
  const time = microsIn(text, 0);
  return time === undefined ? null : BigInt(time.micros);
}

function timestampIn(text: string): bigint | null {
  const days = daysIn(text);
  const time = days === null ? undefined : microsIn(text, text.indexOf(' ') + 1);
  if (days === null || time === undefined) return null;
  const [offset, sign, hours, minutes = '0', seconds = '0'] = OFFSET.exec(text.slice(time.end)) ?? [];
  const east = offset === undefined ? 0 : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const shift = sign === '-' ? -east : east;
  const micros = BigInt(days) * 86_400_000_000n + BigInt(time.micros - shift * 1_000_000);
  return micros === BigInt.asIntN(64, micros) ? micros : null;
}
