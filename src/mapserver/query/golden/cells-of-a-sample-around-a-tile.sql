-- cells of a sample, around a tile
select floor(u)::integer, floor(v)::integer, round(count(*) * $1::double precision)::bigint, avg(u - floor(u))::real, avg(v - floor(v))::real, (sum(a) / $2::double precision)::real, min(chosen)
  from (select least(greatest((cx + 180) / 360, 0), 0.999999999) * $3::double precision - $4::double precision as u, least(greatest(0.5 - ln(tan(pi() / 4 + radians(least(85.0511, greatest(-85.0511, cy))) / 2)) / (2 * pi()), 0), 0.999999999) * $3::double precision - $5::double precision as v, a, chosen
  from (select ("public".st_xmin("f"."geom") + "public".st_xmax("f"."geom")) / 2 as cx, ("public".st_ymin("f"."geom") + "public".st_ymax("f"."geom")) / 2 as cy, 0::double precision as a, (lpad(to_hex(hashtext("f"."id"::text)), 8, '0') || json_build_array(left("f"."id"::text, 200))::text) collate "C" as chosen
  from "layers"."towns" as f tablesample system ($6::real) repeatable (1)
  where "f"."geom" operator("public".&&) "public".st_makeenvelope($7::double precision, $8::double precision, $9::double precision, $10::double precision, $11::integer)
  and "f"."id" = $12) m
  where cx is not null) p
  where u >= $13::double precision
  and u < $14::double precision
  and v >= $13::double precision
  and v < $14::double precision group by 1, 2
-- $1: 40
-- $2: 1531607591.9622366
-- $3: 1024
-- $4: 512
-- $5: 0
-- $6: 2.500000
-- $7: -5.625
-- $8: 78.06198918665974
-- $9: 50.625
-- $10: 90
-- $11: 4326
-- $12: 5
-- $13: -16
-- $14: 144
