// Whether the connecting role may become the anonymous role. If it may not, every request without a token fails, which is said when the settings are
// loaded instead of with the first request.

import type { Driver } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { quoteIdent } from '../../sql/ident.ts';

/** From PostgreSQL 16 on, members of a role may be kept from SET ROLE. */
const MAY_BECOME = `select session_user, exists (select from pg_catalog.pg_roles where rolname = $1),
  exists (select from pg_catalog.pg_roles r
           where r.rolname = $1
             and pg_catalog.pg_has_role(session_user, r.oid,
                   case when pg_catalog.current_setting('server_version_num')::integer >= 160000 then 'SET' else 'MEMBER' end))`;

/** In words, with the statement that helps; undefined: nothing is wrong, or the database did not say. */
export async function anonymousRoleProblem(
  driver: Pick<Driver, 'execute'>,
  role: string | undefined,
): Promise<string | undefined> {
  if (role === undefined) return undefined;
  const found = await driver.execute([{ text: MAY_BECOME, params: [role] }]);
  if (!found.ok) return undefined;
  const [[connecting = '', exists, mayBecome] = []] = found.value.flatMap(textRows);
  if (mayBecome === 't') return undefined;
  const fails = 'requests without a token will fail';
  const grant = `grant ${quoteIdent(role)} to ${quoteIdent(connecting ?? '')};`;
  return exists === 't'
    ? `db-anon-role: the role "${connecting}" of db-uri may not switch to "${role}", so ${fails}. Run: ${grant}`
    : `db-anon-role: there is no role "${role}", so ${fails}. Run: create role ${quoteIdent(role)} nologin; ${grant}`;
}
