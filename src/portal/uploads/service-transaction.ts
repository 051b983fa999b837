// A transaction of the service itself, and the small words its statements are written in.

import type { Caller } from '../../auth/caller.ts';
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

/** One whose work has errors of its own: what else the database says is one of them. */
export async function serviceWork<T, E>(
  db: CallerDb,
  work: (session: Session) => Promise<Result<T, E>>,
  options?: ExecuteOptions,
): Promise<Result<T, E | { readonly kind: 'database'; readonly error: DbError }>> {
  const done = await serviceTransaction<T, { readonly own: E }>(
    db,
    async (session) => {
      const worked = await work(session);
      return worked.ok ? worked : err({ own: worked.error });
    },
    options,
  );
  if (done.ok) return done;
  return err('own' in done.error ? done.error.own : { kind: 'database', error: done.error });
}

export function statement(text: string, ...params: (string | null)[]): Statement {
  return { text, params };
}

/** Of every statement after it in the transaction. */
export function timeLimit(ms: number): Statement {
  return statement(`select set_config('statement_timeout', $1, true)`, String(ms));
}

/** What is changed in the rows of a layer from here on is one entry in its history; of no kind: it is an entry for each row. */
export function bulkChange(kind: string, caller: Caller): Statement {
  return statement(
    `select set_config('survest.bulk', $1, true), set_config('survest.bulk_by', $2, true)`,
    kind,
    caller.kind === 'account' ? String(caller.id) : '',
  );
}

/** A table that changed its columns is another one to the REST service. */
export function announceTable(relation: string): Statement {
  return statement(`select pg_notify('pgrst', 'reload schema ' || $1::regclass::oid)`, relation);
}

export function accountName(caller: Caller): string | null {
  return caller.kind === 'account' ? caller.username : null;
}

export function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error('a batch of one statement had no result');
  return item;
}
