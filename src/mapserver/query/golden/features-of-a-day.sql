-- features of a day
select count(*)
  from "layers"."towns" as f
  where (("f"."founded" >= ($1::timestamptz at time zone 'UTC')::date
  and "f"."founded" <= ($2::timestamptz at time zone 'UTC')::date))
-- $1: 1200-06-01T00:00:00Z
-- $2: 1200-06-01T23:59:59.999999Z
