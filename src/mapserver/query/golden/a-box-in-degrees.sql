-- a box in degrees
select count(*)
  from "layers"."towns" as f
  where ("f"."geom" operator("public".&&) "public".st_makeenvelope($1::double precision, $2::double precision, $3::double precision, $4::double precision, $5::integer)
  and "public".st_intersects("f"."geom", "public".st_makeenvelope($1::double precision, $2::double precision, $3::double precision, $4::double precision, $5::integer)))
-- $1: 8
-- $2: 49
-- $3: 10
-- $4: 51
-- $5: 4326
