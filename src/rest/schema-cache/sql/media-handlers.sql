-- Aggregates that turn rows into the body of a media type: one argument, a relation's row or anyelement, and a result
-- whose domain is named like the media type. $1: exposed schemas, the first of which wins where two declare the same.
select row_to_json(handler)
from (
  select
    n.nspname as schema,
    p.proname as name,
    t.typname as "mediaType",
    case when c.oid is not null then json_build_object('schema', cn.nspname, 'name', c.relname) end as relation
  from pg_aggregate a
  join pg_proc p on p.oid = a.aggfnoid
  join pg_namespace n on n.oid = p.pronamespace
  join pg_type t on t.oid = p.prorettype
  left join pg_class c on c.reltype = p.proargtypes[0] and c.relkind in ('r', 'p', 'v', 'm', 'f')
  left join pg_namespace cn on cn.oid = c.relnamespace
  where n.nspname = any ($1::text[])
    and a.aggkind = 'n'
    and p.pronargs = 1
    and p.provariadic = 0
    and t.typtype = 'd'
    and (c.oid is not null or p.proargtypes[0] = 'anyelement'::regtype)
  order by array_position($1::text[], n.nspname::text), p.oid
) handler
