// Inserts of many rows, sent as COPY where it does the same in less time.

import { ok } from '../../../kernel/result.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import type { UniformRows } from '../../request/uniform-rows.ts';
import { runCopy } from '../../run/run-copy.ts';
import { filled } from '../fill-statement.ts';
import type { Way } from './way.ts';

/** COPY takes longer to begin: of fewer rows INSERT is done before. */
const FEWEST_ROWS = 16;

/** The server may only read for now: that says nothing of the table. */
const READ_ONLY = '25';

export const copy: Way = {
  name: 'copy',
  fits: (shape) => shape.copy !== undefined,
  takes: ({ shape, request, transaction, exchange: { driver } }) => {
    const alike = uniformRows(request);
    if (shape.copy === undefined || alike === undefined || alike.rows < FEWEST_ROWS) return false;
    const { seen, columns } = shape.copy;
    return !seen.isRefused && transaction.kind === 'commit' && driver.can.copy && isSameList(alike.keys, columns);
  },
  main: (shape) => shape.copy?.statement ?? shape.main,
  instead: 'whole',
  async answer({ shape, request, role, exchange: { state }, before, options }, { driver }) {
    const alike = uniformRows(request);
    if (shape.copy === undefined || alike === undefined) return ok(undefined);
    const { statement, response, seen } = shape.copy;
    const work = {
      before,
      copy: { ...filled(statement, request, role, state), copied: alike.lines },
      response: filled(response, request, role, state),
    };
    const outcome = await runCopy(work, driver, options);
    if (!outcome.ok) return outcome;
    if (!('refused' in outcome.value)) return ok(outcome.value);
    seen.isRefused = !outcome.value.refused.sqlstate.startsWith(READ_ONLY);
    return ok(undefined);
  },
};

function uniformRows({ payload }: ApiRequest): UniformRows | undefined {
  return payload?.kind === 'json' ? payload.alike : undefined;
}

/** `columns` may name others than the rows have, or in another order. */
function isSameList(keys: readonly string[], columns: readonly string[]): boolean {
  return keys.length === columns.length && keys.every((key, i) => key === columns[i]);
}
