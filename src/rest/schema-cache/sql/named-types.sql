-- Enums, domains and composite types of the database, with the names that format_type prints, and the row types of the
-- exposed relations. $1: exposed schemas.
select row_to_json(named)
from (
  select
    format_type(t.oid, null) as printed,
    n.nspname as schema,
    t.typname as name,
    case when t.typtype = 'c' and c.relkind <> 'c' then 'relation' else t.typtype::text end as kind,
    obj_description(t.oid, 'pg_type') as description,
    case when t.typtype = 'd' then format_type(t.typbasetype, null) end as base,
    case when t.typtype = 'e' then (
      select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid
    ) end as labels,
    case when c.relkind = 'c' then (
      select json_agg(json_build_array(a.attname, format_type(a.atttypid, null)) order by a.attnum)
      from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ) end as columns
  from pg_type t
  join pg_namespace n on n.oid = t.typnamespace
  left join pg_class c on c.oid = t.typrelid
  where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
    and (t.typtype in ('d', 'e') or c.relkind = 'c'
      or (c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname = any ($1::text[])))
  order by t.oid
) named
