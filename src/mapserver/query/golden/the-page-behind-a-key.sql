-- the page behind a key
select '{"type":"Feature","id":' || to_json("f"."id")::text || ',"geometry":' || coalesce("public".st_asgeojson("f"."geom", $1::integer, 0), 'null') || ',"properties":' || json_build_object('name', "f"."name", 'people', "f"."people", 'founded', "f"."founded")::text || '}'
  from "layers"."towns" as f
  where "f"."id" > $2
  order by "f"."id"
  limit $3::integer
-- $1: 9
-- $2: 41
-- $3: 11
