// What is computed from a client's value alone, as SQL.

import { type Sql, sql } from './bind.ts';

/**
 * A sub-select of its own, so that PostgreSQL computes it once for the statement (an InitPlan). It would compute a bare call for every
 * row: always where the function is stable, and in a generic plan where it is immutable. Indexes take its value as they take a constant, but
 * the planner does not know it, and guesses how many rows it leaves.
 */
export function onceSql(computed: Sql): Sql {
  return sql`(select ${computed})`;
}
