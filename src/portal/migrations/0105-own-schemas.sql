-- The list of migrations is the program's own, and no table to be registered.

create or replace function portal_private.is_registrable(relation oid) returns boolean
language sql stable
return exists (
  select from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.oid = relation and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and c.relpersistence <> 't'
     and n.nspname not in ('portal', 'portal_private', 'layers', 'staging', 'jobs', 'survest', 'survest_live', 'information_schema') and n.nspname !~ '^pg_'
     and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'));
revoke all on function portal_private.is_registrable(oid) from public;
