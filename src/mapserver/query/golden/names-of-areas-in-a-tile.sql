-- names of areas in a tile
select "public".st_asmvt(t, $1::text, $2::integer, $3::text, $4::text)
  from (select "public".st_asmvtgeom(f."label_point", "public".st_makeenvelope($5::double precision, $6::double precision, $7::double precision, $8::double precision, $9::integer)::"public".box2d, $10::integer, $11::integer, true) as "geometry", "f"."id" as "id", "f"."name"::text as "name", "f"."people" as "people", "f"."founded"::text as "founded"
  from (select f.*, "public".st_transform("public".st_pointonsurface("f"."shape"), 3857) as "label_point"
  from (select f.*
  from "layers"."fields" as f
  where "f"."shape" operator("public".&&) "public".st_transform("public".st_segmentize("public".st_makeenvelope($12::double precision, $13::double precision, $14::double precision, $15::double precision, $16::integer), $17::double precision), $18::integer)
  and true
  and greatest("public".st_xmax("f"."shape") - "public".st_xmin("f"."shape"), "public".st_ymax("f"."shape") - "public".st_ymin("f"."shape")) >= $19::double precision
  order by greatest("public".st_xmax("f"."shape") - "public".st_xmin("f"."shape"), "public".st_ymax("f"."shape") - "public".st_ymin("f"."shape")) desc
  limit $20::integer) f) f
  where "public".st_xmin(f."label_point") >= $21::double precision
  and "public".st_xmin(f."label_point") < $22::double precision
  and "public".st_ymin(f."label_point") > $23::double precision
  and "public".st_ymin(f."label_point") <= $24::double precision) t
-- $1: fields
-- $2: 4096
-- $3: geometry
-- $4: id
-- $5: 939258.2035682462
-- $6: 6496535.9080137
-- $7: 1017529.7205322667
-- $8: 6574807.42497772
-- $9: 3857
-- $10: 4096
-- $11: 64
-- $12: 8.426513671875004
-- $13: 50.27835292516677
-- $14: 9.151611328125004
-- $15: 50.74744146513564
-- $16: 4326
-- $17: 0.09063720703125
-- $18: 25832
-- $19: 527.34375
-- $20: 2000
-- $21: 939258.2035682462
-- $22: 1017529.7205322667
-- $23: 6496535.9080137
-- $24: 6574807.42497772
