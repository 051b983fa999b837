// The body of `POST /api/v2/sql/`: a statement, and what is to be done with it. Pure.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { FieldMessages } from '../errors/portal-error.ts';
import { isMembers } from '../operations/write/body-forms.ts';

/** It stands in the audit log as a whole. */
export const MAX_STATEMENT = 20_000;

/** `explain` only plans, `analyze` runs what reads and tells what each step took. */
export const SQL_ACTIONS = ['run', 'explain', 'analyze'] as const;

export type SqlRequest = {
  readonly statement: string;
  readonly action: (typeof SQL_ACTIONS)[number];
  /** What it changes stays. */
  readonly writes: boolean;
};

export function parseSqlRequest(body: unknown): Result<SqlRequest, FieldMessages> {
  if (!isMembers(body)) return err({ non_field_errors: ['Expected a JSON object.'] });
  const { statement, action = 'run', writes = false, ...others } = body;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) return err({ [stranger.slice(0, 100)]: ['Unknown field.'] });
  if (typeof statement !== 'string' || statement.trim() === '' || statement.includes('\0'))
    return err({ statement: ['A statement in SQL is expected.'] });
  if (statement.length > MAX_STATEMENT)
    return err({ statement: [`A statement has at most ${MAX_STATEMENT} characters.`] });
  const wanted = SQL_ACTIONS.find((one) => one === action);
  if (wanted === undefined) return err({ action: [`Must be one of ${SQL_ACTIONS.join(', ')}.`] });
  if (typeof writes !== 'boolean') return err({ writes: ['Must be true or false.'] });
  if (writes && wanted !== 'run') return err({ writes: ['Only what is run can write.'] });
  return ok({ statement, action: wanted, writes });
}
