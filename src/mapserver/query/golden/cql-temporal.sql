-- cql temporal
select count(*)
  from "layers"."towns" as f
  where ((("f"."founded"::timestamp at time zone 'UTC'))::timestamptz > $1::timestamptz
  and (("f"."founded"::timestamp at time zone 'UTC'))::timestamptz < $2::timestamptz)
-- $1: 1100-01-01T00:00:00Z
-- $2: infinity
