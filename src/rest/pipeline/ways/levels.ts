// Reads of a tree whose rows are asked for level by level, and written as JSON here.

import { ok, type Result } from '../../../kernel/result.ts';
import type { DbError, Driver, FlyOptions, SqlError, Statement } from '../../../pg/driver.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import { LevelRows } from '../../run/level-rows.ts';
import type { Outcome } from '../../run/run.ts';
import { runLevels } from '../../run/run-levels.ts';
import { filled } from '../fill-statement.ts';
import type { ShapeLevels } from '../shape-cache.ts';
import type { RestState } from '../state.ts';

/**
 * Shorter bodies are written by the database. With HTTP around it, a body of 29 kB takes 0.76 of the processor time by level, one of 9 kB 0.8, and
 * none at all 1.4 times as much, since the statement takes longer to plan; this process alone takes a third more (docs/performance.md).
 */
const LEAST_BYTES = 8 * 1024;

/** Whether the shape's answers are such that levels pay. */
export function areLevelsAsked({ seen }: ShapeLevels): boolean {
  return !seen.isOther && seen.bytes >= LEAST_BYTES;
}

type LevelsRead = {
  readonly levels: ShapeLevels;
  readonly request: ApiRequest;
  readonly role: string;
  readonly state: RestState;
  /** Scope, and what has to be asked before the rows. */
  readonly before: readonly Statement[];
  readonly estimate: Statement | undefined;
};

/** Undefined: the rows have to be asked for in another way. */
export async function answerLevels(
  { levels, request, role, state, before, estimate }: LevelsRead,
  driver: Driver,
  options: FlyOptions,
): Promise<Result<Outcome | undefined, DbError>> {
  const { seen } = levels;
  const rows = new LevelRows(levels.layout, seen.bytes + MORE_BYTES);
  const main = { ...filled(levels.statement, request, role, state), into: rows };
  const outcome = await runLevels({ before, main, rows, estimate, isTotal: levels.isTotal }, driver, options);
  if (!outcome.ok && isAboutNames(outcome.error, before.length)) {
    // What a role may not read, another one may; all else stays as it is until the schema is loaded again, with new shapes.
    seen.isOther = outcome.error.sqlstate !== FORBIDDEN;
    return ok(undefined);
  }
  if (!outcome.ok) return outcome;
  if (typeof outcome.value === 'string') {
    seen.isOther = true;
    return ok(undefined);
  }
  return ok(outcome.value);
}

const FORBIDDEN = '42501';

/** Beyond the last body, so that the next mostly fits. */
const MORE_BYTES = 512;

/**
 * `*` is written out as the columns and types that the schema cache knows. Where they are others by now, or for whatever else a statement can be wrong,
 * the usual one is asked, and says it in its own words if it has to.
 */
function isAboutNames(error: DbError, main: number): error is SqlError {
  return error.kind === 'sql' && error.statement === main && error.sqlstate.startsWith('42');
}
