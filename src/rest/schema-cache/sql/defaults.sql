-- Defaults of the columns of the exposed relations. $1: exposed schemas, $2: only these relations, null: all.
-- The expression of a generated column is no default; an identity "by default" takes the next value of its sequence.
with relation as (
  select c.oid
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1::text[])
    and c.relkind in ('r', 'p', 'v', 'f')
    and not c.relispartition
    and ($2::oid[] is null or c.oid = any ($2::oid[]))
)
select row_to_json(column_default)
from (
  select ad.adrelid::int8 as relation, ad.adnum as "column", pg_get_expr(ad.adbin, ad.adrelid) as expression
  from relation r
  join pg_attrdef ad on ad.adrelid = r.oid
  join pg_attribute a on a.attrelid = ad.adrelid and a.attnum = ad.adnum
  where a.attgenerated = '' and not a.attisdropped
  union all
  select a.attrelid::int8, a.attnum, format('nextval(%L)', s.oid::regclass)
  from pg_class s
  join pg_depend d
    on d.classid = 'pg_class'::regclass
    and d.objid = s.oid
    and d.refclassid = 'pg_class'::regclass
    and d.deptype = 'i'
  join relation r on r.oid = d.refobjid
  join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
  where s.relkind = 'S' and a.attidentity = 'd'
) column_default
