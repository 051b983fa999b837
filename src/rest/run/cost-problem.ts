// `db-max-cost`: what PostgreSQL expects of a statement, asked in the caller's own scope before it runs.

import type { DbError, Driver, ExecuteOptions, Statement, StatementResult } from '../../pg/driver.ts';
import type { RunError } from '../errors/run-error.ts';

/**
 * Undefined: it may run. `guard`: raises before anything is said of a relation that does not exist for the caller. `options`: whose leaving
 * cancels the question, as it would the statement.
 */
export async function costProblem(
  driver: Driver,
  scope: Statement,
  main: Statement,
  limit: { readonly most: number; readonly where?: string },
  options: Pick<ExecuteOptions, 'signal'> = {},
  guard?: Statement,
): Promise<RunError | DbError | undefined> {
  const before = guard === undefined ? [scope] : [scope, guard];
  const explain = { text: `explain (format json) ${main.text}`, params: main.params };
  const asked = await driver.execute([...before, explain], options);
  if (!asked.ok) return asked.error;
  return costIn(asked.value[before.length], limit);
}

/** `result`: of an EXPLAIN as JSON. */
export function costIn(
  result: StatementResult | undefined,
  { most, where }: { readonly most: number; readonly where?: string },
): RunError | undefined {
  const text = result?.rows[0]?.[0]?.toString() ?? '[]';
  const [plan] = JSON.parse(text) as readonly { readonly Plan?: { readonly 'Total Cost'?: number } }[];
  const cost = plan?.Plan?.['Total Cost'] ?? 0;
  if (cost <= most) return undefined;
  return { kind: 'too-costly', limit: most, ...(where === undefined ? {} : { where }) };
}
