// The TIME of a request → a span: a moment, a day, a month, a year, or two of them with a slash between.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { TimeSpan } from '../query/time-sql.ts';

const PART = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}(?:\.\d{1,6})?))?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/;

/** Undefined: any time. */
export function parseTime(text: string | undefined): Result<TimeSpan | undefined, string> {
  if (text === undefined || text === '' || text === 'current') return ok(undefined);
  const parts = text.split('/');
  if (parts.length > 3) return err('TIME has too many parts');
  const [first = '', last = first] = parts;
  const from = spanOf(first);
  const to = spanOf(last);
  if (from === undefined || to === undefined) return err('TIME is no moment and no span of ISO 8601');
  if (Date.parse(from.from) > Date.parse(to.to)) return err('TIME ends before it begins');
  return ok({ from: from.from, to: to.to });
}

function spanOf(text: string): TimeSpan | undefined {
  const found = PART.exec(text);
  if (found === null) return undefined;
  const [, year = '', month, day, hour, minute, second, zone] = found;
  if (hour !== undefined) {
    const moment = `${year}-${month}-${day}T${hour}:${minute}:${second ?? '00'}${zone ?? 'Z'}`;
    return Number.isNaN(Date.parse(moment)) ? undefined : { from: moment, to: moment };
  }
  const start = new Date(Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1)));
  const end = new Date(start);
  if (day !== undefined) end.setUTCDate(end.getUTCDate() + 1);
  else if (month !== undefined) end.setUTCMonth(end.getUTCMonth() + 1);
  else end.setUTCFullYear(end.getUTCFullYear() + 1);
  // 31 February is none.
  if (day !== undefined && start.getUTCDate() !== Number(day)) return undefined;
  if (month !== undefined && start.getUTCMonth() !== Number(month) - 1) return undefined;
  return { from: start.toISOString(), to: new Date(end.getTime() - 1).toISOString() };
}
