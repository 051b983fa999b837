// ISO 8601 as clients write it → text that PostgreSQL reads as the same moment; without a zone it is UTC.

const FORMAT =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Undefined: not a date, or none that the calendar has. */
export function parseMoment(text: string): string | undefined {
  const found = FORMAT.exec(text.trim());
  if (found === null) return undefined;
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] =
    found;
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  if (y < 1 || m < 1 || m > 12 || d < 1 || d > daysIn(y, m)) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offset = offsetOf(zone);
  if (offset === undefined) return undefined;
  const two = (part: string): string => part.padStart(2, '0');
  const micros = fraction === '' ? '' : `.${fraction.slice(0, 6)}`;
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second.padStart(2, '0')}${micros}${offset}`;
}

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
}

function offsetOf(zone: string): string | undefined {
  if (/^z$/i.test(zone)) return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2));
  if (hours > 15 || minutes > 59) return undefined;
  return `${zone.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
