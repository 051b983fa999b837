-- Primary, unique and foreign keys of the exposed tables and of the tables under views. $1: exposed schemas, $2: extra
-- search path, $3: only keys on or to these relations, null: all. Columns are attnums in key order. Keys of other tables mean
-- nothing to anyone, so it is for their number alone that they are left out, and of a few relations they are not.
with relevant as (
  select c.oid
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1::text[]) and c.relkind in ('r', 'p')
  union
  select d.refobjid
  from pg_rewrite r
  join pg_class v on v.oid = r.ev_class
  join pg_namespace n on n.oid = v.relnamespace
  join pg_depend d
    on d.classid = 'pg_rewrite'::regclass
    and d.objid = r.oid
    and d.refclassid = 'pg_class'::regclass
  where n.nspname = any ($1::text[] || $2::text[]) and v.relkind in ('v', 'm')
)
select row_to_json(key)
from (
  select
    k.oid::int8,
    k.contype as kind,
    k.conname as name,
    k.conrelid::int8 as relation,
    k.conkey as columns,
    k.confrelid::int8 as "foreignRelation",
    k.confkey as "foreignColumns"
  from pg_constraint k
  where ($3::oid[] is null or k.conrelid = any ($3::oid[]) or k.confrelid = any ($3::oid[]))
    and ($3::oid[] is not null or k.conrelid in (select oid from relevant))
    and (
      k.contype in ('p', 'u')
      or k.contype = 'f'
      and ($3::oid[] is not null or k.confrelid in (select oid from relevant))
      -- copies made for partitions, of the referencing and of the referenced table
      and k.conparentid = 0
      -- temporal keys match by containment of periods, and a join on equal periods would miss rows
      and not k.conpfeqop && array(select o.oid from pg_operator o where o.oprname in ('<@', '@>', '&&'))
    )
  order by k.oid
) key
