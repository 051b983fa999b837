-- A text that changes with the exposed schemas: how many rows of the catalogue describe them, and which versions of those rows.
-- $1: exposed schemas. Statistics are updated in place and change nothing here.
with exposed as (
  select n.oid from pg_catalog.pg_namespace n where n.nspname = any ($1::text[])
),
relation as (
  select c.oid, c.xmin
  from pg_catalog.pg_class c
  where c.relnamespace in (select oid from exposed) and c.relkind in ('r', 'p', 'v', 'm', 'f')
),
part as (
  select 1 as kind, r.oid, r.xmin from relation r
  union all
  select 2, a.attrelid, a.xmin from pg_catalog.pg_attribute a where a.attnum > 0 and a.attrelid in (select oid from relation)
  union all
  select 3, k.oid, k.xmin from pg_catalog.pg_constraint k where k.conrelid in (select oid from relation)
  union all
  select 4, w.oid, w.xmin from pg_catalog.pg_rewrite w where w.ev_class in (select oid from relation)
  union all
  select 5, p.oid, p.xmin from pg_catalog.pg_proc p where p.pronamespace in (select oid from exposed)
  union all
  -- directives for the service
  select 6, d.objoid, d.xmin
  from pg_catalog.pg_description d
  where d.description like '%@survest%'
    and (
      d.objoid in (select oid from relation)
      or d.objoid in (select p.oid from pg_catalog.pg_proc p where p.pronamespace in (select oid from exposed))
    )
  union all
  select 7, s.objoid, s.xmin from pg_catalog.pg_shdescription s where s.description like '%@survest%'
)
select
  pg_catalog.count(*)::text || ' '
  || coalesce(pg_catalog.sum(pg_catalog.hashtextextended(pg_catalog.concat_ws(' ', kind, oid, xmin), 0)), 0)::text
from part
