-- a feature deleted
delete
  from "layers"."towns" as f
  where "f"."id" = $1
  returning "f"."id"
-- $1: 5
