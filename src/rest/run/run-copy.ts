// An insert whose rows are sent as COPY, with the response settings behind it: one batch, as any insert.

import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, ExecuteOptions, SqlError, Statement } from '../../pg/driver.ts';
import type { Outcome } from './run.ts';

type CopyRun = {
  /** Scope, and what has to be asked before the rows. */
  readonly before: readonly Statement[];
  /** Has its rows with it. */
  readonly copy: Statement;
  readonly response: Statement;
};

const NO_BODY = Buffer.alloc(0);

/** COPY cannot do it, or would do something else than INSERT; nothing was written. */
type Refused = { readonly refused: SqlError };

export async function runCopy(
  { before, copy, response }: CopyRun,
  driver: Driver,
  options: ExecuteOptions,
): Promise<Result<Outcome | Refused, DbError>> {
  const executed = await driver.execute([...before, copy, response], options);
  if (!executed.ok) return isAboutCopy(executed.error, before.length) ? ok({ refused: executed.error }) : executed;
  const copied = executed.value[before.length];
  const [headers, status] = executed.value[before.length + 1]?.rows[0] ?? [];
  return ok({
    found: {
      page: Number(copied?.tag.slice('COPY '.length)),
      total: undefined,
      body: NO_BODY,
      headers: headers?.toString(),
      status: status?.toString(),
      location: undefined,
      inserted: undefined,
    },
    estimate: undefined,
  });
}

/**
 * Of what is wrong with a value or a row, and of privileges, COPY says the same as INSERT. Of what it does not do at all (row security, a view) and of
 * transactions that may only read, INSERT speaks with its own words; and behind the rows, only their rules can be in the way.
 */
function isAboutCopy(error: DbError, at: number): error is SqlError {
  if (error.kind !== 'sql') return false;
  return error.statement === at + 1 || (error.statement === at && OTHER_WORDS.test(error.sqlstate));
}

const OTHER_WORDS = /^(?:0A|25|42(?!501)|22P04)/;
