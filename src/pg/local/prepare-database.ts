// What the superuser of a private cluster does before the program connects: the role and its database, PostGIS in it, and the mark that lets
// spatial indexes work under row-level security. Every step looks first, so that it can be repeated at each start.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { Driver } from '../driver.ts';
import { textRows } from '../rows.ts';
import { LOCAL_DATABASE, LOCAL_ROLE } from './local-place.ts';

/** To be run in the database `postgres`. */
export async function prepareCluster(driver: Driver): Promise<Result<void, string>> {
  const found = await ask(
    driver,
    `select exists (select from pg_catalog.pg_roles where rolname = '${LOCAL_ROLE}'),
            exists (select from pg_catalog.pg_database where datname = '${LOCAL_DATABASE}')`,
  );
  if (!found.ok) return found;
  const [hasRole, hasDatabase] = found.value;
  if (hasRole !== 't') {
    const made = await ask(driver, `create role ${LOCAL_ROLE} login createrole replication`);
    if (!made.ok) return made;
  }
  if (hasDatabase === 't') return ok(undefined);
  const made = await ask(driver, `create database ${LOCAL_DATABASE} owner ${LOCAL_ROLE} template template0`);
  return made.ok ? ok(undefined) : made;
}

/** To be run in the program's own database. */
export async function prepareDatabase(driver: Driver): Promise<Result<void, string>> {
  const done = await driver.script(`
    set client_min_messages = warning;
    create extension if not exists postgis;
    -- \`&&\` compares two boxes and never raises, so it tells nothing of rows that the caller does not see.
    do $leakproof$
    declare fn regprocedure;
    begin
      for fn in
        select p.oid::regprocedure
          from pg_proc p
          join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
          join pg_extension e on e.oid = d.refobjid and d.refclassid = 'pg_extension'::regclass
         where e.extname = 'postgis' and p.proname in ('geometry_overlaps', 'geometry_overlaps_nd') and p.pronargs = 2
           and not p.proleakproof
      loop
        execute format('alter function %s leakproof', fn);
      end loop;
    end
    $leakproof$;
    reset client_min_messages;`);
  return done.ok ? ok(undefined) : err('message' in done.error ? done.error.message : done.error.kind);
}

async function ask(driver: Driver, text: string): Promise<Result<readonly (string | null)[], string>> {
  const asked = await driver.execute([{ text, params: [] }]);
  if (!asked.ok) return err('message' in asked.error ? asked.error.message : asked.error.kind);
  return ok(asked.value.flatMap(textRows)[0] ?? []);
}
