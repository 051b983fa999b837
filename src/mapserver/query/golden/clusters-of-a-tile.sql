-- clusters of a tile
select "public".st_asmvt(t, $1::text, $2::integer, $3::text, $4::text)
  from (select "public".st_asmvtgeom(g.shape, "public".st_makeenvelope($5::double precision, $6::double precision, $7::double precision, $8::double precision, $9::integer)::"public".box2d, $10::integer, $11::integer, true) as "geometry", "f"."id" as "id", "g"."c0" as "point_count", "g"."c1" as "point_count_abbreviated", "f"."name"::text as "name", "f"."people" as "people", "f"."founded"::text as "founded"
  from (with q as (select *
  from (select least(greatest((cx + 180) / 360, 0), 0.999999999) * $12::double precision as x, least(greatest(0.5 - ln(tan(pi() / 4 + radians(least(85.0511, greatest(-85.0511, cy))) / 2)) / (2 * pi()), 0), 0.999999999) * $12::double precision as y, n, k
  from (select ("public".st_xmin("f"."geom") + "public".st_xmax("f"."geom")) / 2 as cx, ("public".st_ymin("f"."geom") + "public".st_ymax("f"."geom")) / 2 as cy, $13::double precision as n, "f"."id"::text as k
  from "layers"."towns" as f
  where "f"."geom" operator("public".&&) "public".st_makeenvelope($14::double precision, $15::double precision, $16::double precision, $17::double precision, $18::integer)) m
  where cx is not null) r
  where n > 0
  and x >= $19::double precision
  and x < $20::double precision
  and y >= $21::double precision
  and y < $22::double precision), g as (select kx, ky, round(sum(n))::bigint as n, sum(x * n) / sum(n) as x, sum(y * n) / sum(n) as y, min(k) as k
  from (select q.*, floor(x / $23::double precision) as kx, floor(y / $23::double precision) as ky
  from q) c group by kx, ky
  limit $24::integer) select "public".st_setsrid("public".st_makepoint(case when n = 1 then x else least(greatest(x, (kx + 0.25) * $25::double precision), (kx + 0.75) * $26::double precision) end * $27::double precision - $28::double precision, $29::double precision - case when n = 1 then y else least(greatest(y, (ky + 0.25) * $30::double precision), (ky + 0.75) * $31::double precision) end * $32::double precision), 3857) as shape, n as c0, case when n < 1000 then n::text when n < 10000 then trim_scale(round(n / 1000.0, 1))::text || 'k' when n < 1000000 then round(n / 1000.0)::text || 'k' when n < 10000000 then trim_scale(round(n / 1000000.0, 1))::text || 'M' else round(n / 1000000.0)::text || 'M' end as c1, k
  from g) g left join lateral (select *
  from "layers"."towns" as f
  where "f"."id" = g.k::integer
  offset 0) f on g.c0 = 1) t
-- $1: towns
-- $2: 4096
-- $3: geometry
-- $4: id
-- $5: 939258.2035682462
-- $6: 6418264.391049678
-- $7: 1095801.237496287
-- $8: 6574807.42497772
-- $9: 3857
-- $10: 4096
-- $11: 64
-- $12: 131072
-- $13: 1
-- $14: 8.437500000000004
-- $15: 49.83798245308484
-- $16: 9.843749999999998
-- $17: 50.73645513701064
-- $18: 4326
-- $19: 68608
-- $20: 69120
-- $21: 44032
-- $22: 44544
-- $23: 64
-- $24: 60000
-- $25: 64
-- $26: 64
-- $27: 305.748113140705
-- $28: 20037508.342789244
-- $29: 20037508.342789244
-- $30: 64
-- $31: 64
-- $32: 305.748113140705
