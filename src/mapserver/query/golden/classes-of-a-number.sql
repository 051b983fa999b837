-- classes of a number
with v as materialized (select "f"."people"::double precision as x
  from "layers"."towns" as f
  where "f"."people"::double precision between -$1::double precision
  and $1::double precision), s as (select count(*) as values, count(distinct x) as distinct, min(x) as min, max(x) as max, avg(x) as average, stddev_pop(x) as stddev, percentile_cont(0.5) within group (order by x) as median
  from v) select json_build_object('rows', (select count(*)
  from "layers"."towns" as f), 'values', s.values, 'distinct', s.distinct, 'min', s.min, 'max', s.max, 'average', s.average, 'stddev', s.stddev, 'median', s.median, 'quantiles', to_json((select percentile_cont(array(select i / $2::double precision
  from generate_series(1, $3::integer - 1) i)) within group (order by x)
  from v)), 'groups', null, 'bars', (select json_object_agg(bar, n)
  from ( select case when s.min < s.max then least(width_bucket(x, s.min, s.max, $4::integer), $5::integer) else 1 end as bar, count(*) as n
  from v group by 1) b))
  from s
-- $1: 1e+140
-- $2: 5
-- $3: 5
-- $4: 12
-- $5: 12
