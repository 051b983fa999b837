// Reads of a tree whose rows are asked for level by level, and written as JSON here.

import { ok } from '../../../kernel/result.ts';
import type { DbError, SqlError } from '../../../pg/driver.ts';
import { LevelRows } from '../../run/level-rows.ts';
import { runLevels } from '../../run/run-levels.ts';
import { filled } from '../fill-statement.ts';
import type { Way } from './way.ts';

/**
 * Shorter bodies are written by the database. With HTTP around it, a body of 29 kB takes 0.76 of the processor time by level, one of 9 kB 0.8, and
 * none at all 1.4 times as much, since the statement takes longer to plan; this process alone takes a third more (docs/performance.md).
 */
const LEAST_BYTES = 8 * 1024;

export const levels: Way = {
  name: 'levels',
  fits: (shape) => shape.levels !== undefined,
  takes: ({ shape: { levels: own }, transaction }) =>
    own !== undefined && !own.seen.isOther && own.seen.bytes >= LEAST_BYTES && transaction.kind === 'commit',
  main: ({ levels: own, main }) => own?.statement ?? main,
  instead: 'rows',
  learn(shape, { found }) {
    if (shape.levels !== undefined) shape.levels.seen.bytes = found.body.length;
  },
  async answer({ shape, request, role, exchange: { state }, before, options }, { driver }) {
    if (shape.levels === undefined) return ok(undefined);
    const { statement, layout, isTotal, seen } = shape.levels;
    const estimate = shape.estimate === undefined ? undefined : filled(shape.estimate, request, role, state);
    const rows = new LevelRows(layout, seen.bytes + MORE_BYTES);
    const main = { ...filled(statement, request, role, state), into: rows };
    const outcome = await runLevels({ before, main, rows, estimate, isTotal }, driver, options);
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
  },
};

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
