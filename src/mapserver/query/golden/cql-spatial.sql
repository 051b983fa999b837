-- cql spatial
select count(*)
  from "layers"."towns" as f
  where ("f"."geom" operator("public".&&) "public".st_setsrid("public".st_geomfromgeojson($1::text), $2::integer)
  and "public".st_intersects("f"."geom", "public".st_setsrid("public".st_geomfromgeojson($1::text), $2::integer)))
-- $1: {"type":"Point","coordinates":[9,50]}
-- $2: 4326
