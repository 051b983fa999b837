-- a box in degrees of a layer in metres
select count(*)
  from "layers"."fields" as f
  where ("f"."shape" operator("public".&&) "public".st_transform("public".st_segmentize("public".st_makeenvelope($1::double precision, $2::double precision, $3::double precision, $4::double precision, $5::integer), $6::double precision), $7::integer)
  and "public".st_intersects("f"."shape", "public".st_transform("public".st_segmentize("public".st_makeenvelope($1::double precision, $2::double precision, $3::double precision, $4::double precision, $5::integer), $6::double precision), $7::integer)))
-- $1: 8
-- $2: 49
-- $3: 10
-- $4: 51
-- $5: 4326
-- $6: 0.25
-- $7: 25832
