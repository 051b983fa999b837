// A statement of an administrator, run as the administrator by a function of the database that no change of role leads out of. In a transaction that
// only reads, unless writing was asked for; bounded in time and rows. Nothing of it stays on the connection.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Session, Statement } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { asCaller } from '../uploads/service-scope.ts';
import { statement } from '../uploads/service-transaction.ts';
import type { SqlRequest } from './sql-request.ts';

const MAX_MS = 30_000;
const MAX_ROWS = 1000;

/** The answer as JSON. */
export async function runSql(db: CallerDb, caller: Caller, request: SqlRequest): Promise<Result<string, DbError>> {
  const held = await db.driver.hold(
    async (session) => {
      const done = await runIn(session, caller, request);
      // Locks of the session, and settings that a committed statement has made for it. Where there are further connections, this one is not used again.
      await session.execute([statement('select pg_advisory_unlock_all()'), statement('reset all')]);
      if (request.writes && db.driver.can.overlap) session.discard('SQL of an administrator ran on it');
      return done;
    },
    { timeLimitMs: MAX_MS + 5000 },
  );
  return held.ok ? held.value : held;
}

async function runIn(
  session: Session,
  caller: Caller,
  { statement: text, action, writes }: SqlRequest,
): Promise<Result<string, DbError>> {
  const begin: readonly Statement[] = [
    statement(writes ? 'begin' : 'begin read only'),
    statement(`select set_config('statement_timeout', $1, true)`, String(MAX_MS)),
    asCaller(caller),
    ...(writes ? [statement('select portal.check_writable()')] : []),
  ];
  const executed = await session.execute([
    ...begin,
    statement('select portal.run_sql($1, $2, $3)', text, action, String(MAX_ROWS)),
  ]);
  const ended = await session.execute([statement(executed.ok && writes ? 'commit' : 'rollback')]);
  if (!executed.ok) return executed;
  if (!ended.ok) return ended;
  return ok(textRows(executed.value.at(-1) ?? { rows: [], tag: '' })[0]?.[0] ?? 'null');
}

/** What the database says of the statement itself, for the one who wrote it; undefined: it is not about the statement. */
export function statementFault(error: DbError): Result<never, string> | undefined {
  if (error.kind !== 'sql') return undefined;
  if (error.sqlstate === '57014') return err(`It took longer than ${MAX_MS / 1000} seconds.`);
  if (error.sqlstate === 'SV503' || /^(?:08|53|57P|58|XX)/.test(error.sqlstate)) return undefined;
  return err([error.message, error.detail, error.hint].filter((one) => one !== null && one !== '').join(' — '));
}
