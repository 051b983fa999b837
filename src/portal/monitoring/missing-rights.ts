// What the role of db-uri lacks to make the portal's schemas, roles and tables, with the statements that give it. Asked before anything is changed: a
// schema that fails half way says what PostgreSQL missed, and not what to do.

import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';

/** As `schema/roles.sql` makes them. */
const ROLES = ['survest_anon', 'survest_user', 'survest_admin', 'survest_authenticator'];

const QUESTION = `
  select quote_ident(current_user), quote_ident(current_database()), current_user, current_database(),
         current_setting('server_version_num')::integer / 10000,
         has_database_privilege(current_database(), 'create'),
         r.rolsuper or r.rolcreaterole
           or (select count(*) = cardinality($1::text[]) from pg_roles own where own.rolname = any ($1::text[])),
         -- From PostgreSQL 16 on, who may create roles may not give itself those that others have made.
         r.rolsuper or (r.rolcreaterole and current_setting('server_version_num')::integer < 160000)
           or not exists (select from pg_roles own
                           where own.rolname = any ($1::text[]) and own.rolname <> 'survest_authenticator'
                             and not pg_has_role(r.oid, own.oid, 'member')),
         exists (select from pg_extension where extname = 'postgis'),
         exists (select from pg_available_extensions where name = 'postgis'),
         r.rolsuper or exists (select from pg_available_extension_versions where name = 'postgis' and trusted)
    from pg_roles r where r.rolname = current_user`;

/** Undefined: nothing is missing. */
export async function missingRights(driver: Driver): Promise<Result<string | undefined, DbError>> {
  const asked = await driver.execute([{ text: QUESTION, params: [`{${ROLES.join(',')}}`] }]);
  if (!asked.ok) return asked;
  const [cells = []] = asked.value.flatMap(textRows);
  const [role, database, roleName, databaseName, version, ...answers] = cells;
  const [mayCreate, mayMakeRoles, mayTakeRoles, hasPostgis, isAvailable, mayExtend] = answers.map(
    (answer) => answer === 't',
  );
  if (hasPostgis === false && isAvailable === false)
    return ok(
      `PostGIS is not installed on the database server: install its package (on Debian postgresql-${version}-postgis-3), and start again`,
    );
  const statements = [
    ...(mayCreate === true ? [] : [`grant create on database ${database} to ${role};`]),
    ...(mayMakeRoles === true ? [] : [`alter role ${role} createrole;`]),
    ...(mayTakeRoles === true ? [] : [`grant survest_anon, survest_user, survest_admin to ${role};`]),
    ...(hasPostgis === true || mayExtend === true ? [] : ['create extension postgis;']),
  ];
  if (statements.length === 0) return ok(undefined);
  return ok(
    [
      `the role "${roleName}" of db-uri may not make what the portal needs in the database "${databaseName}". Nothing was changed. Run this there as a superuser, and start again:`,
      ...statements.map((statement) => `  ${statement}`),
    ].join('\n'),
  );
}
