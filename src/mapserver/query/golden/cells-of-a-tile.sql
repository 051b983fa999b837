-- cells of a tile
select floor(u)::integer, floor(v)::integer, count(*)::bigint, avg(u - floor(u))::real, avg(v - floor(v))::real, (sum(a) / $1::double precision)::real, min(chosen), sum(v0), count(v0)
  from (select least(greatest("public".st_x(p) / $2::double precision + 0.5, 0), 0.999999999) * $3::double precision - $4::double precision as u, least(greatest(0.5 - "public".st_y(p) / $2::double precision, 0), 0.999999999) * $3::double precision - $5::double precision as v, a, chosen, v0
  from (select ("public".st_xmin("f"."shape") + "public".st_xmax("f"."shape")) / 2 as cx, ("public".st_ymin("f"."shape") + "public".st_ymax("f"."shape")) / 2 as cy, "public".st_area("f"."shape") * $6::double precision as a, (lpad(to_hex(hashtext("f"."id"::text)), 8, '0') || json_build_array(left("f"."id"::text, 200), left("f"."name"::text, 200))::text) collate "C" as chosen, nullif(nullif(nullif("f"."people"::double precision, 'NaN'), 'Infinity'), '-Infinity') as v0
  from "layers"."fields" as f
  where "f"."shape" operator("public".&&) "public".st_transform("public".st_segmentize("public".st_makeenvelope($7::double precision, $8::double precision, $9::double precision, $10::double precision, $11::integer), $12::double precision), $13::integer)
  and greatest("public".st_xmax("f"."shape") - "public".st_xmin("f"."shape"), "public".st_ymax("f"."shape") - "public".st_ymin("f"."shape")) < $14::double precision) m, lateral (select "public".st_transform("public".st_setsrid("public".st_makepoint(cx, cy), $15::integer), 3857) as p) t
  where cx is not null) p
  where u >= $16::double precision
  and u < $17::double precision
  and v >= $16::double precision
  and v < $17::double precision group by 1, 2
-- $1: 95725474.49763979
-- $2: 40075016.68557849
-- $3: 4096
-- $4: 2048
-- $5: 1280
-- $6: 3.025397712517998
-- $7: 4.499999
-- $8: 48.92249926375824
-- $9: 11.25
-- $10: 55.500001
-- $11: 4326
-- $12: 0.843750125
-- $13: 25832
-- $14: 5625
-- $15: 25832
-- $16: 0
-- $17: 128
