-- Roles that a service can connect as and that may read the change log; superusers may read everything.
select r.rolname
from pg_catalog.pg_roles as r
  cross join pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where n.nspname = 'survest_live' and c.relname = 'change' and r.rolcanlogin and not r.rolsuper
  and pg_catalog.has_schema_privilege(r.oid, n.oid, 'USAGE') and pg_catalog.has_table_privilege(r.oid, c.oid, 'SELECT')
order by 1
