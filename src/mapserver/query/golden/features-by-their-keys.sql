-- features by their keys
select count(*)
  from "layers"."towns" as f
  where "f"."id" = any($1)
-- $1: {"5","7"}
