-- Asks whether views and foreign tables of the exposed schemas can be written, for the error alone. $1: exposed schemas,
-- $2: only these, null: all.
select json_build_object(
  'oid', c.oid::int8,
  'name', format('%s.%s', n.nspname, c.relname),
  'kind', c.relkind,
  'writable', case when $2::oid[] is not null then pg_relation_is_updatable(c.oid, true) end
)
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where n.nspname = any ($1::text[])
  and c.relkind in ('v', 'f')
  and not c.relispartition
  and ($2::oid[] is null or c.oid = any ($2::oid[]))
  and not exists (
    select
    from pg_foreign_table f
    join pg_foreign_server s on s.oid = f.ftserver
    join pg_foreign_data_wrapper w on w.oid = s.srvfdw
    where f.ftrelid = c.oid and w.fdwhandler = 0
  )
order by n.nspname, c.relname
