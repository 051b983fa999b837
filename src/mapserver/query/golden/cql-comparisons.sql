-- cql comparisons
select count(*)
  from "layers"."towns" as f
  where (("f"."name" = $1)
  and ("f"."people" > $2::bigint)
  and (("f"."people" * $3::numeric) <= $4::bigint))
-- $1: O'Neill
-- $2: 5000
-- $3: 2.5
-- $4: 20000
