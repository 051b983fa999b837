-- cql like, in, between, null
select count(*)
  from "layers"."towns" as f
  where (((lower(("f"."name")::text))::text like ((select lower(($1)::text)))::text)
  or ("f"."people" in ($2::bigint, $3::bigint))
  or ("f"."people" between $4::bigint
  and $5::bigint)
  or ("f"."name" is null))
-- $1: a%
-- $2: 1
-- $3: 2
-- $4: 3
-- $5: 4
