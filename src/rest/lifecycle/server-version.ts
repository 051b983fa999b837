// Which server is behind the driver, and whether it can be used at all.

import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../../pg/driver.ts';

export type ServerVersion = {
  /** As `server_version_num` has it: 150004. */
  readonly number: number;
  readonly text: string;
  /** What new sessions begin with, as text to compare: the settings of the connecting role and of the database. */
  readonly sessionSettings: string;
};

/** Sessions that are open already go on with what they began with. */
const SESSION_SETTINGS = `
  select coalesce(json_agg(json_build_array(s.setdatabase, s.setrole, s.setconfig) order by s.setdatabase, s.setrole), '[]')
    from pg_catalog.pg_db_role_setting s
   where s.setrole in (0, (select oid from pg_catalog.pg_roles where rolname = session_user))
     and s.setdatabase in (0, (select oid from pg_catalog.pg_database where datname = current_database()))`;

/** The oldest that the catalogue statements are written for. */
const OLDEST = { number: 140_000, text: '14' } as const;

export async function askServerVersion(driver: Pick<Driver, 'execute'>): Promise<Result<ServerVersion, DbError>> {
  const asked = await driver.execute([
    { text: "select current_setting('server_version_num'), current_setting('server_version')", params: [] },
    { text: SESSION_SETTINGS, params: [] },
  ]);
  if (!asked.ok) return asked;
  const row = asked.value[0]?.rows[0];
  return ok({
    number: Number(row?.[0]?.toString() ?? 0),
    text: row?.[1]?.toString() ?? '',
    sessionSettings: asked.value[1]?.rows[0]?.[0]?.toString() ?? '',
  });
}

/** Undefined: it can be used. */
export function supportProblem({ number, text }: Pick<ServerVersion, 'number' | 'text'>): string | undefined {
  return number >= OLDEST.number
    ? undefined
    : `PostgreSQL ${text} is not supported: ${OLDEST.text} is the oldest that is`;
}
