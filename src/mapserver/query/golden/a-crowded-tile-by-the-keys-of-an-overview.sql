-- a crowded tile by the keys of an overview
select "public".st_asmvt(t, $1::text, $2::integer, $3::text, $4::text)
  from (with chosen as materialized (with fresh as materialized (select key
  from portal.overview_fresh($5::integer)) select o.key, o.n, o.cover
  from portal.overview_cells($5::integer, $6::integer, $7::integer, $8::integer) o
  where not exists (select
  from fresh
  where fresh.key = o.key)
  union all select fresh.key, 1, null
  from fresh, lateral (select *
  from "layers"."towns" as f
  where "f"."id" = fresh.key::integer
  offset 0) f
  where "f"."geom" operator("public".&&) "public".st_makeenvelope($9::double precision, $10::double precision, $11::double precision, $12::double precision, $13::integer)), c as materialized (select *
  from chosen) select "public".st_asmvtgeom("public".st_transform("f"."geom", 3857), "public".st_makeenvelope($14::double precision, $15::double precision, $16::double precision, $17::double precision, $18::integer)::"public".box2d, $19::integer, $20::integer, true) as "geometry", "f"."id" as "id", "f"."people" as "people", nullif(c.n, 1) as "point_count"
  from c, lateral (select *
  from "layers"."towns" as f
  where "f"."id" = c.key::integer
  offset 0) f) t
-- $1: towns
-- $2: 4096
-- $3: geometry
-- $4: id
-- $5: 7
-- $6: 5
-- $7: 16
-- $8: 10
-- $9: -0.17578125
-- $10: 48.74671801375824
-- $11: 11.42578125
-- $12: 55.95235426866768
-- $13: 4326
-- $14: 0
-- $15: 6261721.357121638
-- $16: 1252344.2714243277
-- $17: 7514065.628545966
-- $18: 3857
-- $19: 4096
-- $20: 64
