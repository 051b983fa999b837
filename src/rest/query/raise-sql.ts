// A write that refuses its own result: where what it counted is wrong, the statement fails, and its transaction with it. So nobody has to look at
// the rows before they are committed, and a write is one batch where it would be two.
//
// SQL has no expression that raises, so a text that says what was counted is read as a number. `run/raised-problem.ts` reads it back from
// the error.

import { raw } from '../../sql/index.ts';
import { type Sql, sql } from './bind.ts';

/** What a write must not have done. */
export type RaiseRules = {
  /** Rows of the body that were not found are an error. */
  readonly missing: boolean;
  /** How many rows there have to be; undefined: any number. */
  readonly rows: { readonly exactly: number } | { readonly most: number } | undefined;
};

/** Begins the text in the error, where it is looked for. */
const RAISED = 'survest-problem';

/** Null, or an error. `counted`: a JSON object of counts, by the names that `pipeline/result-check.ts` knows; `page`: the rows of the answer. */
export function raiseSql(rules: RaiseRules, counted: Sql | undefined): Sql {
  const wrongPage = rules.rows === undefined ? undefined : pageSql(rules.rows);
  if (counted === undefined) return wrongPage ?? sql`null`;
  const raised = raiseCountedSql(counted, rules);
  return wrongPage === undefined ? raised : sql`coalesce(${raised}, ${wrongPage})`;
}

/** The same where the rows are shown by a later statement. */
export function raiseCountedSql(counted: Sql, { missing }: Pick<RaiseRules, 'missing'>): Sql {
  const count = (name: string): Sql => sql`(j->>'${raw(name)}')::bigint`;
  const wrong = sql`${count('contradicted')} > 0 or ${count('lost')} <> 0 or ${count('unpatched')} <> 0 or ${count('repeated')} > 0 or ${count('several')} > 0 or ${count('missing')} ${raw(missing ? '<>' : '<')} 0`;
  return sql`(select case when ${wrong} then ('${raw(RAISED)} ' || j::text)::integer end from (select ${counted} as j offset 0) as counted)`;
}

/** An error about a row. `of`: one of its values, without which the planner would work the error out, and so raise it, beforehand. */
export function raiseRowSql(name: string, of: Sql): Sql {
  return sql`concat('${raw(RAISED)} {"${raw(name)}":1', left(${of}::text, 0), '}')::integer`;
}

/** Null, or an error about more rows than one. */
export function raiseManySql(count: Sql): Sql {
  return sql`case when ${count} > 1 then ('${raw(RAISED)} {"page":' || ${count} || '}')::integer end`;
}

function pageSql(rows: NonNullable<RaiseRules['rows']>): Sql {
  const wrong = 'exactly' in rows ? `<> ${rows.exactly}` : `> ${rows.most}`;
  return sql`case when count(*) ${raw(wrong)} then ('${raw(RAISED)} {"page":' || count(*) || '}')::integer end`;
}
