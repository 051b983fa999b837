// The first rows that a part of a recipe reads, for a preview.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { ProcessFault } from '../../layer-ports/process.ts';
import { textRows } from '../../pg/rows.ts';
import { fromSql } from '../query/feature-query.ts';
import { timeLimit } from '../query/layer-sql.ts';
import { toStatement } from '../query/value.ts';
import type { Part } from './query/recipe.ts';
import { faultOf, queryOf } from './run-recipe.ts';

export type Sampling = {
  readonly db: CallerDb;
  readonly caller: Caller;
  readonly info: RequestInfo;
  readonly timeLimitMs: number;
};

export async function sampleRows(
  { db, caller, info, timeLimitMs }: Sampling,
  part: Part,
  limit: number,
): Promise<Result<ReturnType<typeof textRows>, ProcessFault>> {
  const statement = toStatement(part.select(fromSql({ ...queryOf(part), isAnyOrder: false, limit })));
  const executed = await db.read(caller, info, [timeLimit(timeLimitMs), statement], { timeLimitMs });
  return executed.ok ? ok(textRows(executed.value[1] ?? { rows: [], tag: '' })) : err(faultOf(executed.error));
}
