-- an encoded tile
select "public".st_asmvt(t, $1::text, $2::integer, $3::text, $4::text)
  from (select "public".st_asmvtgeom("public".st_transform("f"."geom", 3857), "public".st_makeenvelope($5::double precision, $6::double precision, $7::double precision, $8::double precision, $9::integer)::"public".box2d, $10::integer, $11::integer, true) as "geometry", "f"."id" as "id", "f"."name"::text as "name", "f"."people" as "people", "f"."founded"::text as "founded"
  from "layers"."towns" as f
  where "f"."geom" operator("public".&&) "public".st_makeenvelope($12::double precision, $13::double precision, $14::double precision, $15::double precision, $16::integer)) t
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
-- $12: 8.415527343750004
-- $13: 49.81600979683484
-- $14: 9.865722656250002
-- $15: 50.75842779326064
-- $16: 4326
