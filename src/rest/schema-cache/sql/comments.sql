-- Comments on the columns of the exposed relations. $1: exposed schemas, $2: only these relations, null: all.
select row_to_json(comment)
from (
  select d.objoid::int8 as relation, d.objsubid as "column", d.description as text
  from pg_description d
  join pg_class c on c.oid = d.objoid
  join pg_namespace n on n.oid = c.relnamespace
  where d.classoid = 'pg_class'::regclass
    and d.objsubid > 0
    and n.nspname = any ($1::text[])
    and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not c.relispartition
    and ($2::oid[] is null or c.oid = any ($2::oid[]))
) comment
