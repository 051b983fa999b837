-- a view
select "public".st_astwkb("public".st_affine("public".st_force2d("public".st_transform("f"."geom", $1::integer)), $2::double precision, 0, 0, $3::double precision, $4::double precision, $5::double precision), 1) as shape, "f"."id"::text as k, "f"."name"::text as "c0"
  from (select "f"."id", "f"."geom", "f"."name"
  from "layers"."towns" as f
  where "f"."geom" operator("public".&&) "public".st_makeenvelope($6::double precision, $7::double precision, $8::double precision, $9::double precision, $10::integer)
  and ("f"."founded" >= ($11::timestamptz at time zone 'UTC')::date
  and "f"."founded" <= ($12::timestamptz at time zone 'UTC')::date)
  order by "f"."id"
  limit $13::integer) f
-- $1: 3857
-- $2: 0.0004599373874298753
-- $3: -0.0003606162029367682
-- $4: -255.9997700313063
-- $5: 2654.808163449294
-- $6: 5
-- $7: 47
-- $8: 15
-- $9: 55
-- $10: 4326
-- $11: 1100-01-01T00:00:00Z
-- $12: 1200-01-01T00:00:00Z
-- $13: 150001
