-- a distance in metres
select count(*)
  from "layers"."towns" as f
  where "public".st_dwithin("f"."geom"::"public".geography, "public".st_setsrid("public".st_geomfromgeojson($1::text), $2::integer)::"public".geography, $3::double precision)
-- $1: {"type":"Point","coordinates":[9,50]}
-- $2: 4326
-- $3: 5
