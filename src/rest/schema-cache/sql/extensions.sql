-- Extensions whose functions and operators the query grammar knows, and the schemas they are in.
select json_build_array(e.extname, n.nspname)
from pg_extension e
join pg_namespace n on n.oid = e.extnamespace
where e.extname in ('postgis', 'pg_trgm', 'vector')
