-- a feature replaced
update "layers"."towns" as f
  set "name" = "v"."name", "geom" = "public".st_force2d("public".st_setsrid("public".st_geomfromgeojson($1::text), $2::integer)), "people" = default, "founded" = default
  from jsonb_populate_record(null::"layers"."towns", $3::jsonb) as v
  where "f"."id" = $4
  returning "f"."id"
-- $1: {"type":"Point","coordinates":[9,50]}
-- $2: 4326
-- $3: {"name":"Ulm"}
-- $4: 5
