-- a feature updated
update "layers"."fields" as f
  set "name" = "v"."name"
  from jsonb_populate_record(null::"layers"."fields", $1::jsonb) as v
  where "f"."id" = $2
  returning "f"."id"
-- $1: {"name":null}
-- $2: 5
