-- hexagons of a tile by overviews
select "public".st_asmvt(t, $1::text, $2::integer, $3::text)
  from (select "public".st_asmvtgeom(g.shape, "public".st_makeenvelope($4::double precision, $5::double precision, $6::double precision, $7::double precision, $8::integer)::"public".box2d, $9::integer, $10::integer, true) as "geometry", "g"."c0" as "point_count", "g"."c1" as "point_count_abbreviated", "g"."c2" as "value"
  from (with q as (select *
  from (select least(greatest((cx + 180) / 360, 0), 0.999999999) * $11::double precision as x, least(greatest(0.5 - ln(tan(pi() / 4 + radians(least(85.0511, greatest(-85.0511, cy))) / 2)) / (2 * pi()), 0), 0.999999999) * $11::double precision as y, n, v
  from (select ("public".st_xmin("f"."geom") + "public".st_xmax("f"."geom")) / 2 as cx, ("public".st_ymin("f"."geom") + "public".st_ymax("f"."geom")) / 2 as cy, $12::double precision as n, "f"."people"::double precision as v
  from "layers"."towns" as f
  where "f"."geom" operator("public".&&) "public".st_makeenvelope($13::double precision, $14::double precision, $15::double precision, $16::double precision, $17::integer)) m
  where cx is not null) r
  where n > 0
  and x >= $18::double precision
  and x < $19::double precision
  and y >= $20::double precision
  and y < $21::double precision), g as (select kx, ky, round(sum(n))::bigint as n, sum(x * n) / sum(n) as x, sum(y * n) / sum(n) as y, sum(v * n) / nullif(sum(n) filter (where v is not null), 0) as v
  from (select h.*, case when is_even then ex else ox end as kx, case when is_even then ey else oy end as ky
  from (select h.*, (x - ex * $22::double precision / 2) ^ 2 + (y - ey * $23::double precision / 2) ^ 2 <= (x - ox * $22::double precision / 2) ^ 2 + (y - oy * $23::double precision / 2) ^ 2 as is_even
  from (select q.*, 2 * round(x / $22::double precision) as ex, 2 * round(y / $23::double precision) as ey, 2 * floor(x / $22::double precision) + 1 as ox, 2 * floor(y / $23::double precision) + 1 as oy
  from q) h) h) c group by kx, ky
  limit $24::integer) select "public".st_translate("public".st_setsrid("public".st_makepolygon("public".st_makeline(array["public".st_makepoint($25::double precision, $26::double precision), "public".st_makepoint($27::double precision, $28::double precision), "public".st_makepoint($29::double precision, $30::double precision), "public".st_makepoint($31::double precision, $32::double precision), "public".st_makepoint($33::double precision, $34::double precision), "public".st_makepoint($35::double precision, $36::double precision), "public".st_makepoint($37::double precision, $38::double precision)])), 3857), kx * $39::double precision - $40::double precision, $41::double precision - ky * $42::double precision) as shape, n as c0, case when n < 1000 then n::text when n < 10000 then trim_scale(round(n / 1000.0, 1))::text || 'k' when n < 1000000 then round(n / 1000.0)::text || 'k' when n < 10000000 then trim_scale(round(n / 1000000.0, 1))::text || 'M' else round(n / 1000000.0)::text || 'M' end as c1, v as c2
  from g) g) t
-- $1: towns
-- $2: 4096
-- $3: geometry
-- $4: 0
-- $5: 15028131.257091932
-- $6: 5009377.085697311
-- $7: 20037508.342789244
-- $8: 3857
-- $9: 4096
-- $10: 64
-- $11: 4096
-- $12: 1
-- $13: -5.625000000000013
-- $14: 78.06198918665974
-- $15: 50.62499999999999
-- $16: 90
-- $17: 4326
-- $18: 1984
-- $19: 2624
-- $20: -64
-- $21: 576
-- $22: 32
-- $23: 55.42562584220407
-- $24: 60000
-- $25: 0
-- $26: 180760.32555623035
-- $27: 156543.03392804097
-- $28: 90380.16277811518
-- $29: 156543.03392804097
-- $30: -90380.16277811518
-- $31: 0
-- $32: -180760.32555623035
-- $33: -156543.03392804097
-- $34: -90380.16277811518
-- $35: -156543.03392804097
-- $36: 90380.16277811518
-- $37: 0
-- $38: 180760.32555623035
-- $39: 156543.03392804097
-- $40: 20037508.342789244
-- $41: 20037508.342789244
-- $42: 271140.4883343455
