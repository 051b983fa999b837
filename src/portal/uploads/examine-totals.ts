// Whether the totals that the catalogue keeps are what its rows say: rows that came in past the triggers, or a table that was restored
// alone, are not in them.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import { objects } from '../../pg/rows.ts';
import type { ExamineOptions, Finding } from './finding.ts';
import { first, statement } from './service-transaction.ts';

type WrongTotals = {
  readonly facet: string;
  readonly wrong: number;
  readonly key: string;
  readonly kept: number;
  readonly counted: number;
};

export async function lookAtTotals(
  { db, fix }: ExamineOptions,
  tell: (finding: Finding) => void,
): Promise<Result<undefined, DbError>> {
  const found = await db.service([
    {
      ...statement('select facet, wrong::integer, key, kept::integer, counted::integer from portal.wrong_totals()'),
      describe: true,
    },
  ]);
  if (!found.ok) return found;
  const wrong = objects<WrongTotals>(first(found.value));
  if (wrong.length === 0) return ok(undefined);
  // All of them at once, and while nobody writes.
  const isFixed = fix !== undefined;
  if (isFixed) {
    const counted = await db.service([statement('select portal.recount_totals()')]);
    if (!counted.ok) return err(counted.error);
  }
  for (const { facet, wrong: many, key, kept, counted } of wrong) {
    const text = `${many} kept ${many === 1 ? 'total' : 'totals'} of ${facet} ${many === 1 ? 'is' : 'are'} not what the rows say (${key}: ${kept} kept, ${counted} there).`;
    tell({ kind: 'wrong-total', what: facet, text, canFix: true, isFixed });
  }
  return ok(undefined);
}
