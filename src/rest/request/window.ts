// Which rows: limit and offset parameters, and for the root of a GET the Range header. In: their texts. Out: the window,
// or that there is none. What is no whole number is ignored, as the interface has it.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { Window } from './api-request.ts';
import type { RequestError } from './request-error.ts';

/** The texts of `limit` and `offset` of one node. */
export type WindowTexts = { limit?: string; offset?: string };

export const ALL_ROWS: Window = { offset: 0 };

const WHOLE_NUMBER = /^ *(-?[0-9]+) *$/;
const RANGE = /^([0-9]+)-([0-9]*)$/;

export function parseWindow(texts: WindowTexts): Result<Window, RequestError> {
  const offset = Math.max(wholeNumber(texts.offset) ?? 0, 0);
  const limit = wholeNumber(texts.limit);
  if (limit === undefined) {
    if (texts.limit !== undefined && offset > 0) return err({ kind: 'limit-negative' });
    return ok(offset === 0 ? ALL_ROWS : { offset });
  }
  return limit < 0 ? err({ kind: 'limit-negative' }) : ok({ offset, limit });
}

/** `range` is the Range header where it counts: on GET. */
export function parseRootWindow(texts: WindowTexts, range: string | undefined): Result<Window, RequestError> {
  if (range === undefined && texts.limit === undefined && texts.offset === undefined) return ok(ALL_ROWS);
  const asked = parseWindow(texts);
  // limit=0 asks for no rows, whatever the header says.
  if (asked.ok && asked.value.limit === 0) return asked;
  const match = range === undefined ? null : RANGE.exec(range);
  if (match === null) return asked;
  const first = bounded(Number(match[1]));
  const last = match[2] === '' ? Number.POSITIVE_INFINITY : bounded(Number(match[2]));
  if (first > last) return err({ kind: 'range-crossed' });
  return asked.ok ? intersect(asked.value, first, last) : asked;
}

function intersect(window: Window, first: number, last: number): Result<Window, RequestError> {
  const askedLast = window.limit === undefined ? Number.POSITIVE_INFINITY : window.offset + window.limit - 1;
  const offset = Math.max(window.offset, first);
  const end = Math.min(askedLast, last);
  if (end < offset) return err({ kind: 'limit-negative' });
  return ok(end === Number.POSITIVE_INFINITY ? { offset } : { offset, limit: bounded(end - offset + 1) });
}

function wholeNumber(text: string | undefined): number | undefined {
  const match = text === undefined ? null : WHOLE_NUMBER.exec(text);
  return match === null ? undefined : bounded(Number(match[1]));
}

/** No table has that many rows; beyond it a number would not be exact. */
function bounded(number: number): number {
  return Math.min(Math.max(number, -Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}
