// The error of a write that refused its own result (`query/raise-sql.ts`) → what was wrong with it. Undefined: it is another error.

import type { DbError } from '../../pg/driver.ts';
import type { RunError } from '../errors/run-error.ts';
import type { Found } from './decode.ts';

type ResultCheck = (found: Found) => RunError | undefined;

/** Of a text that is no number. */
const NOT_A_NUMBER = '22P02';
const COUNTS = /survest-problem (\{[^{}]{0,500}\})/;

export function raisedProblem(error: DbError, check: ResultCheck): RunError | undefined {
  if (error.kind !== 'sql' || error.sqlstate !== NOT_A_NUMBER) return undefined;
  const counts = countsIn(COUNTS.exec(error.message)?.[1]);
  if (counts === undefined) return undefined;
  const { page = 0, ...problem } = counts;
  return check({ ...NOTHING, page, problem });
}

const NOTHING: Found = {
  page: 0,
  total: undefined,
  body: Buffer.alloc(0),
  headers: undefined,
  status: undefined,
  location: undefined,
  inserted: undefined,
};

/** A client may have sent such a text as a number of its own: then it is whatever it is. */
function countsIn(text: string | undefined): Readonly<Record<string, number>> | undefined {
  if (text === undefined) return undefined;
  try {
    const counts: unknown = JSON.parse(text);
    const isCounts =
      typeof counts === 'object' &&
      counts !== null &&
      Object.values(counts).every((value) => typeof value === 'number');
    return isCounts ? (counts as Record<string, number>) : undefined;
  } catch {
    return undefined;
  }
}
