// Finds the relations whose writability PostgreSQL cannot tell: a foreign table whose wrapper has lost its library, a chain of
// views deeper than the stack. The question about all relations then fails as a whole; by asking about halves of them (binary
// search) the few are found, and all others can be asked again.

import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Session } from '../../pg/driver.ts';
import { arrayLiteral } from './array-literal.ts';
import { catalogueSql } from './catalogue-sql.ts';

export type Unwritable = {
  readonly oid: number;
  readonly name: string;
  readonly isView: boolean;
  readonly why: string;
};

/** After so many questions what is left is taken for unwritable, whoever is to blame. */
const MAX_QUESTIONS = 500;

type Asked = { readonly oid: number; readonly name: string; readonly kind: 'v' | 'f' };

export async function findUnwritable(
  session: Session,
  schemas: readonly string[],
): Promise<Result<readonly Unwritable[], DbError>> {
  const exposed = arrayLiteral(schemas);
  const listed = await session.execute([
    { text: catalogueSql.scope, params: [] },
    { text: catalogueSql.updatable, params: [exposed, null] },
  ]);
  if (!listed.ok) return listed;
  const found: Unwritable[] = [];
  const all = (listed.value[1]?.rows ?? []).map(([cell]) => JSON.parse(cell?.toString('utf8') ?? '{}') as Asked);
  const waiting: (readonly Asked[])[] = all.length === 0 ? [] : [all];
  let questions = 0;
  for (let some = waiting.pop(); some !== undefined; some = waiting.pop()) {
    questions += 1;
    const asked = await session.execute([
      { text: catalogueSql.scope, params: [] },
      { text: catalogueSql.updatable, params: [exposed, arrayLiteral(some.map(({ oid }) => oid))] },
    ]);
    if (asked.ok) continue;
    if (asked.error.kind !== 'sql') return asked;
    const why = asked.error.message;
    if (some.length === 1 || questions >= MAX_QUESTIONS)
      for (const { oid, name, kind } of some) found.push({ oid, name, isView: kind === 'v', why });
    else {
      const half = Math.ceil(some.length / 2);
      waiting.push(some.slice(half), some.slice(0, half));
    }
  }
  return ok(found);
}
