// Which roles of requests have no statement timeout: one request of theirs can keep a connection busy for ever.

import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';

/** The anonymous role and those that the service may switch to, unless the server, the database or the role has a timeout. */
const ROLES_WITHOUT_TIMEOUT = `select r.rolname
  from pg_catalog.pg_roles r
 where pg_catalog.current_setting('statement_timeout') = '0'
   and (r.rolname = $1
        or r.oid in (select m.roleid from pg_catalog.pg_auth_members m
                      where m.member = (select oid from pg_catalog.pg_roles where rolname = session_user)))
   and r.rolname not like 'pg\\_%'
   and not exists (
     select from pg_catalog.pg_db_role_setting s, pg_catalog.unnest(s.setconfig) as c(setting)
      where s.setrole = r.oid
        and s.setdatabase in (0, (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database()))
        and c.setting ~ '^statement_timeout=.*[1-9]')
 order by 1`;

export async function rolesWithoutTimeout(
  driver: Driver,
  anonRole: string | undefined,
): Promise<Result<readonly string[], DbError>> {
  const found = await driver.execute([{ text: ROLES_WITHOUT_TIMEOUT, params: [anonRole ?? ''] }]);
  return found.ok ? ok(found.value.flatMap(textRows).map(([name]) => name ?? '')) : found;
}
