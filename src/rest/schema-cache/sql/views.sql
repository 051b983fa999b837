-- Views that keys are traced through, with the size of their stored query as a measure for fetching in batches.
-- $1: exposed schemas, $2: extra search path. A query whose text is longer than 16 MB is not fetched; to know that, it has to
-- be unpacked, which only those are that would be that long if they were compressed as well as can be.
select row_to_json(view)
from (
  select
    c.oid::int8,
    format('%s.%s', n.nspname, c.relname) as name,
    pg_column_size(r.ev_action) as size,
    case when pg_column_size(r.ev_action) > 65536 then length(r.ev_action::text) > 16777216 else false end as "tooLong"
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_rewrite r on r.ev_class = c.oid and r.ev_type = '1'
  where n.nspname = any ($1::text[] || $2::text[]) and c.relkind in ('v', 'm')
  order by c.oid
) view
