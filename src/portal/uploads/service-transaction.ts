// A transaction of the service itself, and the small words its statements are written in.

import type { CallerDb } from '../../auth/caller-db.ts';
import { err, type Result } from '../../kernel/result.ts';
import type { DbError, ExecuteOptions, Session, Statement } from '../../pg/driver.ts';

/** Our own statements name every schema but that of PostGIS, which may live anywhere. */
const FIND_POSTGIS = statement(
  `select set_config('search_path', 'pg_catalog, ' || coalesce((select quote_ident(n.nspname) from pg_catalog.pg_extension e
     join pg_catalog.pg_namespace n on n.oid = e.extnamespace where e.extname = 'postgis'), 'public'), true)`,
);

/** A transaction that begins as the role that logged in. */
export async function serviceTransaction<T, E>(
  db: CallerDb,
  work: (session: Session) => Promise<Result<T, E>>,
  options: ExecuteOptions = {},
): Promise<Result<T, E | DbError>> {
  const held = await db.driver.hold(async (session): Promise<Result<T, E | DbError>> => {
    const begun = await session.execute([statement('begin'), FIND_POSTGIS]);
    if (!begun.ok) return begun;
    const done = await work(session);
    const ended = await session.execute([statement(done.ok ? 'commit' : 'rollback')]);
    return done.ok && !ended.ok ? err(ended.error) : done;
  }, options);
  return held.ok ? held.value : held;
}

export function statement(text: string, ...params: (string | null)[]): Statement {
  return { text, params };
}

export function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error('a batch of one statement had no result');
  return item;
}
