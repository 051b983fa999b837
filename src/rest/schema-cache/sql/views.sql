-- Views that keys are traced through, with the size of their stored query as a measure for fetching in batches.
-- $1: exposed schemas, $2: extra search path.
select row_to_json(view)
from (
  select c.oid::int8, pg_column_size(r.ev_action) as size
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_rewrite r on r.ev_class = c.oid and r.ev_type = '1'
  where n.nspname = any ($1::text[] || $2::text[]) and c.relkind in ('v', 'm')
  order by c.oid
) view
