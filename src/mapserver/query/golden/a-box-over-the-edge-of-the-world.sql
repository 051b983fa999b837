-- a box over the edge of the world
select count(*)
  from "layers"."towns" as f
  where (("f"."geom" operator("public".&&) "public".st_makeenvelope($1::double precision, $2::double precision, $3::double precision, $4::double precision, $5::integer)
  and "public".st_intersects("f"."geom", "public".st_makeenvelope($1::double precision, $2::double precision, $3::double precision, $4::double precision, $5::integer)))
  or ("f"."geom" operator("public".&&) "public".st_makeenvelope($6::double precision, $7::double precision, $8::double precision, $9::double precision, $10::integer)
  and "public".st_intersects("f"."geom", "public".st_makeenvelope($6::double precision, $7::double precision, $8::double precision, $9::double precision, $10::integer))))
-- $1: 170
-- $2: -10
-- $3: 190
-- $4: 10
-- $5: 4326
-- $6: -190
-- $7: -10
-- $8: -170
-- $9: 10
-- $10: 4326
