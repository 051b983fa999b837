-- Brings a database of the embedded engine back to how its template was: everything that does not come with PostgreSQL
-- or belongs to PostGIS goes. Whoever runs it compares fingerprints before and after; what this misses shows there.

set allow_system_table_mods = on;

do $reset$
declare
  item record;
begin
  for item in select evtname as name from pg_event_trigger loop
    execute format('drop event trigger %I', item.name);
  end loop;
  for item in select pubname as name from pg_publication loop
    execute format('drop publication %I', item.name);
  end loop;
  for item in select fdwname as name from pg_foreign_data_wrapper loop
    execute format('drop foreign data wrapper %I cascade', item.name);
  end loop;
  for item in select extname as name from pg_extension where extname not in ('plpgsql', 'postgis') loop
    execute format('drop extension if exists %I cascade', item.name);
  end loop;
  for item in
    select nspname as name from pg_namespace
    where nspname <> 'public' and nspname <> 'information_schema' and nspname !~ '^pg_'
  loop
    execute format('drop schema %I cascade', item.name);
  end loop;

  -- What stands in public beside PostGIS, and what stands in no schema at all.
  for item in
    select o.classid, o.objid
    from (
      select 'pg_class'::regclass as classid, oid as objid, 1 as turn from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      union all
      select 'pg_proc'::regclass, oid, 2 from pg_proc where pronamespace = 'public'::regnamespace
      union all
      select 'pg_type'::regclass, oid, 3 from pg_type where typnamespace = 'public'::regnamespace and typtype in ('b', 'c', 'd', 'e', 'r')
      union all
      select 'pg_operator'::regclass, oid, 4 from pg_operator where oprnamespace = 'public'::regnamespace
      union all
      select 'pg_collation'::regclass, oid, 4 from pg_collation where collnamespace = 'public'::regnamespace
      union all
      select 'pg_conversion'::regclass, oid, 4 from pg_conversion where connamespace = 'public'::regnamespace
      union all
      select 'pg_ts_config'::regclass, oid, 5 from pg_ts_config where cfgnamespace = 'public'::regnamespace
      union all
      select 'pg_ts_dict'::regclass, oid, 6 from pg_ts_dict where dictnamespace = 'public'::regnamespace
      union all
      select 'pg_statistic_ext'::regclass, oid, 6 from pg_statistic_ext where stxnamespace = 'public'::regnamespace
      union all
      select 'pg_cast'::regclass, oid, 7 from pg_cast where oid >= 16384
    ) o
    where not exists (
      select from pg_depend d where d.classid = o.classid and d.objid = o.objid and d.deptype in ('e', 'i')
    )
    order by o.turn, o.objid desc
  loop
    declare
      what record := pg_identify_object(item.classid, item.objid, 0);
    begin
      -- Gone meanwhile with something it depended on: there is no name for it any more.
      if what.identity is not null then
        execute format('drop %s if exists %s cascade', what.type, what.identity);
      end if;
    end;
  end loop;

  for item in select rolname as name from pg_roles where rolname <> 'postgres' and rolname !~ '^pg_' loop
    execute format('reassign owned by %I to postgres', item.name);
    execute format('drop owned by %I cascade', item.name);
    execute format('drop role %I', item.name);
  end loop;
  for item in select oid from pg_largeobject_metadata loop
    perform lo_unlink(item.oid);
  end loop;
end
$reset$;

alter database postgres reset all;
delete from pg_db_role_setting;
delete from pg_default_acl;
update pg_database set datacl = null where datname = 'postgres';
comment on database postgres is 'default administrative connection database';
comment on schema public is 'standard public schema';
