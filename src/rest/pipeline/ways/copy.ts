// Inserts of many rows, sent as COPY where it does the same in less time.

import { ok, type Result } from '../../../kernel/result.ts';
import type { DbError, Driver, FlyOptions, Statement } from '../../../pg/driver.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import type { Outcome } from '../../run/run.ts';
import { runCopy } from '../../run/run-copy.ts';
import { filled } from '../fill-statement.ts';
import type { ShapeCopy } from '../shape-cache.ts';
import type { RestState } from '../state.ts';

/** COPY takes longer to begin: of fewer rows INSERT is done before. */
const FEWEST_ROWS = 16;

/** The server may only read for now: that says nothing of the table. */
const READ_ONLY = '25';

type CopyInsert = {
  readonly copy: ShapeCopy;
  readonly request: ApiRequest;
  readonly role: string;
  readonly state: RestState;
  /** Scope, and what has to be asked before the rows. */
  readonly before: readonly Statement[];
};

/** Undefined: it has to be an INSERT. */
export async function answerCopy(
  { copy, request, role, state, before }: CopyInsert,
  driver: Driver,
  options: FlyOptions,
): Promise<Result<Outcome | undefined, DbError>> {
  const alike = request.payload?.kind === 'json' ? request.payload.alike : undefined;
  if (alike === undefined || alike.rows < FEWEST_ROWS || !isSameList(alike.keys, copy.columns)) return ok(undefined);
  if (copy.seen.isRefused || driver.engine !== 'postgres') return ok(undefined);
  const work = {
    before,
    copy: { ...filled(copy.statement, request, role, state), copied: alike.lines },
    response: filled(copy.response, request, role, state),
  };
  const outcome = await runCopy(work, driver, options);
  if (!outcome.ok) return outcome;
  if (!('refused' in outcome.value)) return ok(outcome.value);
  copy.seen.isRefused = !outcome.value.refused.sqlstate.startsWith(READ_ONLY);
  return ok(undefined);
}

/** `columns` may name others than the rows have, or in another order. */
function isSameList(keys: readonly string[], columns: readonly string[]): boolean {
  return keys.length === columns.length && keys.every((key, i) => key === columns[i]);
}
