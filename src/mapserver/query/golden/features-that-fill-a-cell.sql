-- features that fill a cell
select "public".st_asbinary("public".st_clipbybox2d("public".st_setsrid("public".st_snaptogrid("public".st_affine("public".st_force2d("public".st_transform(case when "public".st_npoints("f"."shape") > 20 then "public".st_simplify("f"."shape", $1::double precision, true) else "f"."shape" end, 3857)), $2::double precision, 0, 0, $3::double precision, $4::double precision, $5::double precision), 1), 0), "public".st_makeenvelope($6::double precision, $7::double precision, $8::double precision, $9::double precision, $10::integer)::"public".box2d), 'NDR') as "geometry", "f"."id" as "id", "f"."name"::text as "name", "f"."people" as "people", "f"."founded"::text as "founded"
  from "layers"."fields" as f
  where "f"."shape" operator("public".&&) "public".st_transform("public".st_segmentize("public".st_makeenvelope($11::double precision, $12::double precision, $13::double precision, $14::double precision, $15::integer), $16::double precision), $17::integer)
  and greatest("public".st_xmax("f"."shape") - "public".st_xmin("f"."shape"), "public".st_ymax("f"."shape") - "public".st_ymin("f"."shape")) >= 2048::double precision
  and greatest("public".st_xmax("f"."shape") - "public".st_xmin("f"."shape"), "public".st_ymax("f"."shape") - "public".st_ymin("f"."shape")) >= $18::double precision
  and (hashtext("f"."id"::text) & 65535) < $19::integer
-- $1: 351.5625
-- $2: 0.0032706661366698306
-- $3: -0.0032706661366698306
-- $4: 0
-- $5: 24575.999999999996
-- $6: -64
-- $7: -64
-- $8: 4160
-- $9: 4160
-- $10: 0
-- $11: 4.499999
-- $12: 48.74671801375824
-- $13: 11.42578125
-- $14: 55.500001
-- $15: 4326
-- $16: 0.86572278125
-- $17: 25832
-- $18: 5625
-- $19: 16384
