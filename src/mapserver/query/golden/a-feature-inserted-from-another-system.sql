-- a feature inserted from another system
insert into "layers"."fields" ("shape") select "public".st_multi("public".st_force2d("public".st_transform("public".st_setsrid("public".st_flipcoordinates("public".st_geomfromgeojson($1::text)), $2::integer), $3::integer)))
  from jsonb_populate_record(null::"layers"."fields", $4::jsonb) as v
  returning "id"
-- $1: {"type":"Polygon","coordinates":[[[9,50],[10,50],[10,51],[9,50]]]}
-- $2: 4326
-- $3: 25832
-- $4: {}
