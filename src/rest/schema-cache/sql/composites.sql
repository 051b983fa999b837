-- Columns of composite types and of relations outside the exposed schemas that functions return. $1: their pg_class oids.
select row_to_json(composite)
from (
  select
    a.attrelid::int8 as oid,
    json_agg(a.attname order by a.attnum) as "columnNames",
    json_agg(a.atttypid::int8 order by a.attnum) as "columnTypes",
    json_agg(a.atttypmod order by a.attnum) as modifiers
  from pg_attribute a
  where a.attrelid = any ($1::oid[]) and a.attnum > 0 and not a.attisdropped
  group by a.attrelid
) composite
