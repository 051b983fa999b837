-- What the given types are. $1: type oids, $2: their modifiers, in pairs.
-- A domain stands for what it is made over, and so does a domain inside an array; up to 64 of them, because a column of each
-- of ten thousand would be fifty million steps.
with recursive asked as (
  select t.oid, t.modifier
  from unnest($1::oid[], $2::int4[]) as t (oid, modifier)
),
step as (
  select a.oid as asked_oid, a.modifier as asked_modifier, t.oid, a.modifier, '' as suffix, t.typnotnull as not_null, 0 as depth
  from asked a
  join pg_type t on t.oid = a.oid
  union all
  select
    s.asked_oid,
    s.asked_modifier,
    next.oid,
    case when t.typtype = 'd' then t.typtypmod else s.modifier end,
    case when t.typtype = 'd' then s.suffix else s.suffix || '[]' end,
    s.not_null or (t.typtype = 'd' and s.suffix = '' and next.typnotnull),
    s.depth + 1
  from step s
  join pg_type t on t.oid = s.oid
  join pg_type next
    on next.oid = case when t.typtype = 'd' then t.typbasetype else t.typelem end
    -- only true arrays have a way to their elements (point and name have element types too)
    and (t.typtype = 'd' or next.typarray = t.oid and next.typtype = 'd')
  where s.depth < 64
),
base as (
  select distinct on (s.asked_oid, s.asked_modifier) s.*
  from step s
  order by s.asked_oid, s.asked_modifier, s.depth desc
)
select row_to_json(type)
from (
  select
    b.asked_oid::int8 as oid,
    b.asked_modifier as modifier,
    format_type(b.asked_oid, null) as name,
    format_type(b.asked_oid, b.asked_modifier) as "nominalName",
    format_type(b.oid, null) || b.suffix as "baseName",
    case
      when b.suffix <> '' or b.modifier = -1 then null
      when b.oid in ('bpchar'::regtype, 'varchar'::regtype) then b.modifier - 4
      when b.oid in ('bit'::regtype, 'varbit'::regtype) then b.modifier
    end as "maxLength",
    b.not_null as "notNull",
    case when t.typtype = 'd' then pg_get_expr(t.typdefaultbin, 0) end as "default",
    (
      select json_agg(e.enumlabel order by e.enumsortorder)
      from pg_enum e
      where e.enumtypid = b.oid and b.suffix = ''
    ) as "enumLabels",
    b.depth = 64 as "tooDeep"
  from base b
  join pg_type t on t.oid = b.asked_oid
) type
