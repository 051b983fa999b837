-- a crowded tile
select "public".st_asmvt(t, $1::text, $2::integer, $3::text, $4::text)
  from (select "public".st_asmvtgeom("public".st_transform(case when "public".st_npoints("f"."shape") > 100 then "public".st_simplify("f"."shape", $5::double precision, true) else "f"."shape" end, 3857), "public".st_makeenvelope($6::double precision, $7::double precision, $8::double precision, $9::double precision, $10::integer)::"public".box2d, $11::integer, $12::integer, true) as "geometry", "f"."id" as "id", "f"."name"::text as "name", "f"."people" as "people", "f"."founded"::text as "founded"
  from (select f.*
  from "layers"."fields" as f tablesample system ($13::real) repeatable (1)
  where "f"."shape" operator("public".&&) "public".st_transform("public".st_segmentize("public".st_makeenvelope($14::double precision, $15::double precision, $16::double precision, $17::double precision, $18::integer), $19::double precision), $20::integer)
  and not ("public".st_xmax("f"."shape") - "public".st_xmin("f"."shape") < $21::double precision
  and "public".st_ymax("f"."shape") - "public".st_ymin("f"."shape") < $22::double precision)) f
  union all select "public".st_asmvtgeom("public".st_envelope("public".st_makeline("public".st_transform("public".st_pointonsurface("f"."shape"), 3857), "public".st_translate("public".st_transform("public".st_pointonsurface("f"."shape"), 3857), $23::double precision, $23::double precision))), "public".st_makeenvelope($6::double precision, $7::double precision, $8::double precision, $9::double precision, $10::integer)::"public".box2d, $24::integer, $25::integer, true) as "geometry", "f"."id" as "id", "f"."name"::text as "name", "f"."people" as "people", "f"."founded"::text as "founded"
  from (select distinct on (floor("public".st_xmin("f"."shape") / $21::double precision), floor("public".st_ymin("f"."shape") / $22::double precision)) f.*
  from "layers"."fields" as f tablesample system ($13::real) repeatable (1)
  where "f"."shape" operator("public".&&) "public".st_transform("public".st_segmentize("public".st_makeenvelope($14::double precision, $15::double precision, $16::double precision, $17::double precision, $18::integer), $19::double precision), $20::integer)
  and ("public".st_xmax("f"."shape") - "public".st_xmin("f"."shape") < $21::double precision
  and "public".st_ymax("f"."shape") - "public".st_ymin("f"."shape") < $22::double precision)
  order by floor("public".st_xmin("f"."shape") / $21::double precision), floor("public".st_ymin("f"."shape") / $22::double precision), "f"."id") f) t
-- $1: fields
-- $2: 4096
-- $3: geometry
-- $4: id
-- $5: 351.5625
-- $6: 0
-- $7: 6261721.357121638
-- $8: 1252344.2714243277
-- $9: 7514065.628545966
-- $10: 3857
-- $11: 4096
-- $12: 64
-- $13: 42.122578
-- $14: 4.499999
-- $15: 48.74671801375824
-- $16: 11.42578125
-- $17: 55.500001
-- $18: 4326
-- $19: 0.86572278125
-- $20: 25832
-- $21: 1406.25
-- $22: 1406.25
-- $23: 2445.98490512564
-- $24: 4096
-- $25: 64
