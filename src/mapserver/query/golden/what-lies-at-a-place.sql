-- what lies at a place
select "f"."id"::text, "public".st_asgeojson("public".st_force2d("public".st_transform("f"."geom", $1::integer)), $2::integer, 0), (select row_to_json(p)
  from (select "f"."id", "f"."name", "f"."people", "f"."founded") p)
  from "layers"."towns" as f
  where "f"."geom" operator("public".&&) "public".st_makeenvelope($3::double precision, $4::double precision, $5::double precision, $6::double precision, $7::integer)
  and "public".st_intersects("f"."geom", "public".st_makeenvelope($3::double precision, $4::double precision, $5::double precision, $6::double precision, $7::integer))
  order by "f"."id" desc
  limit $8::integer
-- $1: 3857
-- $2: 4
-- $3: 8.99
-- $4: 49.99
-- $5: 9.01
-- $6: 50.01
-- $7: 4326
-- $8: 5
