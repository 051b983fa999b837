-- a tile as rows
select "public".st_asbinary("public".st_clipbybox2d("public".st_setsrid("public".st_snaptogrid("public".st_affine("public".st_force2d("public".st_transform("f"."geom", 3857)), $1::double precision, 0, 0, $2::double precision, $3::double precision, $4::double precision), 1), 0), "public".st_makeenvelope($5::double precision, $6::double precision, $7::double precision, $8::double precision, $9::integer)::"public".box2d), 'NDR') as "geometry", "f"."id" as "id", "f"."name"::text as "name", "f"."people" as "people", "f"."founded"::text as "founded"
  from "layers"."towns" as f
  where "f"."geom" operator("public".&&) "public".st_makeenvelope($10::double precision, $11::double precision, $12::double precision, $13::double precision, $14::integer)
-- $1: 0.026165329093358645
-- $2: -0.026165329093358645
-- $3: -24576.00000000001
-- $4: 172031.99999999997
-- $5: -64
-- $6: -64
-- $7: 4160
-- $8: 4160
-- $9: 0
-- $10: 8.415527343750004
-- $11: 49.81600979683484
-- $12: 9.865722656250002
-- $13: 50.75842779326064
-- $14: 4326
