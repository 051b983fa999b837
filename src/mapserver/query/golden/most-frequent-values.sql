-- most frequent values
select json_agg(json_build_object('value', value, 'count', n)
  order by n desc, value)
  from ( select "f"."name"::text as value, count(*) as n
  from "layers"."towns" as f
  where "f"."name" is not null group by 1
  order by 2 desc, 1
  limit $1::integer) c
-- $1: 10
