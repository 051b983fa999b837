// The body of an ErrorResponse → the fields we pass on or act on.

import type { ErrorSubject } from '../driver.ts';

export type ErrorFields = {
  /** In English whatever the server's language: ERROR, FATAL, PANIC. */
  readonly severity: string;
  readonly sqlstate: string;
  readonly message: string;
  readonly detail: string | null;
  readonly hint: string | null;
  readonly routine: string;
  /** Undefined: it names no table, column or constraint. */
  readonly about: ErrorSubject | undefined;
};

export function readErrorFields(bytes: Buffer, start: number, end: number): ErrorFields {
  const found = new Map<string, string>();
  let at = start;
  while (at < end && bytes[at] !== 0) {
    const stop = bytes.indexOf(0, at + 1);
    if (stop < 0 || stop >= end) break;
    found.set(String.fromCharCode(bytes[at] ?? 0), bytes.toString('utf8', at + 1, stop));
    at = stop + 1;
  }
  return {
    severity: found.get('V') ?? found.get('S') ?? 'ERROR',
    sqlstate: found.get('C') ?? 'XX000',
    message: found.get('M') ?? '',
    detail: found.get('D') ?? null,
    hint: found.get('H') ?? null,
    routine: found.get('R') ?? '',
    about: subjectOf(found),
  };
}

function subjectOf(found: ReadonlyMap<string, string>): ErrorSubject | undefined {
  const [table, column, constraint] = [found.get('t'), found.get('c'), found.get('n')];
  if (table === undefined && column === undefined && constraint === undefined) return undefined;
  return {
    ...(table === undefined ? {} : { table }),
    ...(column === undefined ? {} : { column }),
    ...(constraint === undefined ? {} : { constraint }),
  };
}
