-- a feature inserted
insert into "layers"."towns" ("name", "geom") select "v"."name", "public".st_force2d("public".st_setsrid("public".st_geomfromgeojson($1::text), $2::integer))
  from jsonb_populate_record(null::"layers"."towns", $3::jsonb) as v
  returning "id"
-- $1: {"type":"Point","coordinates":[9,50]}
-- $2: 4326
-- $3: {"name":"Ulm"}
