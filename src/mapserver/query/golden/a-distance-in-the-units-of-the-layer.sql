-- a distance in the units of the layer
select count(*)
  from "layers"."towns" as f
  where ("f"."geom" operator("public".&&) "public".st_expand("public".st_setsrid("public".st_geomfromgeojson($1::text), $2::integer), $3::double precision)
  and "public".st_dwithin("f"."geom", "public".st_setsrid("public".st_geomfromgeojson($1::text), $2::integer), $3::double precision))
-- $1: {"type":"Point","coordinates":[9,50]}
-- $2: 4326
-- $3: 5
