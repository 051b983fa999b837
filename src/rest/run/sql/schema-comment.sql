-- The comment on the schema $1; no row when there is no such schema.
select pg_catalog.obj_description(n.oid, 'pg_namespace') as comment
from pg_catalog.pg_namespace n
where n.nspname = $1
