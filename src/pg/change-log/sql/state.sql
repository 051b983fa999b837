-- Who asks, whether there is a change log, and what the server and the roles allow. $1: the role that the service connects as; null: this one.
select current_user,
  exists (
    select from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = 'survest_live' and c.relname = 'change'
  ),
  pg_catalog.current_setting('wal_level'),
  exists (
    select from pg_catalog.pg_roles as r
    where r.rolname = coalesce($1, current_user) and (r.rolreplication or r.rolsuper)
  ),
  case
    when exists (select from pg_catalog.pg_publication as p where p.pubname = 'survest_live') then
      (select pg_catalog.pg_has_role(p.pubowner, 'USAGE') from pg_catalog.pg_publication as p where p.pubname = 'survest_live')
    else pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')
  end,
  (select count(*) from pg_catalog.pg_replication_slots),
  pg_catalog.current_setting('max_replication_slots')
