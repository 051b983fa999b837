-- a page of features
select '{"type":"Feature","id":' || to_json("f"."id")::text || ',"geometry":' || coalesce("public".st_asgeojson("f"."geom", $1::integer, 0), 'null') || ',"properties":' || json_build_object('name', "f"."name", 'people', "f"."people", 'founded', "f"."founded")::text || '}'
  from "layers"."towns" as f
  order by "f"."people" desc nulls last, "f"."id"
  limit $2::integer
  offset $3::integer
-- $1: 9
-- $2: 10
-- $3: 20
