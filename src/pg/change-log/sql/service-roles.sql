-- Roles that a running service is connected as. $1: its anonymous role. Anybody can call a connection as the program does, so only those count
-- that may become the anonymous role, as the service has to.
select distinct a.usename
from pg_catalog.pg_stat_activity as a
where a.datname = pg_catalog.current_database() and a.pid <> pg_catalog.pg_backend_pid() and a.application_name like 'Survest %'
  and a.usename is not null and a.usename <> current_user
  and exists (
    select from pg_catalog.pg_roles as r where r.rolname = $1 and pg_catalog.pg_has_role(a.usesysid, r.oid, 'MEMBER')
  )
order by 1
