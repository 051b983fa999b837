-- names of areas by the keys of an overview
select "public".st_asmvt(t, $1::text, $2::integer, $3::text, $4::text)
  from (select "public".st_asmvtgeom(f."label_point", "public".st_makeenvelope($5::double precision, $6::double precision, $7::double precision, $8::double precision, $9::integer)::"public".box2d, $10::integer, $11::integer, true) as "geometry", "f"."id" as "id", "f"."name"::text as "name", "f"."people" as "people", "f"."founded"::text as "founded"
  from (select f.*, "public".st_transform("public".st_pointonsurface("f"."shape"), 3857) as "label_point"
  from (select f.*
  from (with c as materialized (with fresh as materialized (select key
  from portal.overview_fresh($12::integer)) select o.key, o.n, o.cover
  from portal.overview_cells($12::integer, $13::integer, $14::integer, $15::integer) o
  where not exists (select
  from fresh
  where fresh.key = o.key)
  union all select fresh.key, 1, null
  from fresh, lateral (select *
  from "layers"."fields" as f
  where "f"."id" = fresh.key::integer
  offset 0) f
  where "f"."shape" operator("public".&&) "public".st_transform("public".st_segmentize("public".st_makeenvelope($16::double precision, $17::double precision, $18::double precision, $19::double precision, $20::integer), $21::double precision), $22::integer)) select f.*
  from c, lateral (select *
  from "layers"."fields" as f
  where "f"."id" = c.key::integer
  offset 0) f
  where c.cover is null) as f
  where "f"."shape" operator("public".&&) "public".st_transform("public".st_segmentize("public".st_makeenvelope($23::double precision, $24::double precision, $25::double precision, $26::double precision, $27::integer), $28::double precision), $29::integer)
  and greatest("public".st_xmax("f"."shape") - "public".st_xmin("f"."shape"), "public".st_ymax("f"."shape") - "public".st_ymin("f"."shape")) >= $30::double precision
  order by greatest("public".st_xmax("f"."shape") - "public".st_xmin("f"."shape"), "public".st_ymax("f"."shape") - "public".st_ymin("f"."shape")) desc
  limit $31::integer) f) f
  where "public".st_xmin(f."label_point") >= $32::double precision
  and "public".st_xmin(f."label_point") < $33::double precision
  and "public".st_ymin(f."label_point") > $34::double precision
  and "public".st_ymin(f."label_point") <= $35::double precision) t
-- $1: fields
-- $2: 4096
-- $3: geometry
-- $4: id
-- $5: 0
-- $6: 6261721.357121638
-- $7: 1252344.2714243277
-- $8: 7514065.628545966
-- $9: 3857
-- $10: 4096
-- $11: 64
-- $12: 7
-- $13: 5
-- $14: 16
-- $15: 10
-- $16: 4.499999
-- $17: 48.74671801375824
-- $18: 11.42578125
-- $19: 55.500001
-- $20: 4326
-- $21: 0.86572278125
-- $22: 25832
-- $23: 4.499999
-- $24: 48.74671801375824
-- $25: 11.42578125
-- $26: 55.500001
-- $27: 4326
-- $28: 0.86572278125
-- $29: 25832
-- $30: 8437.5
-- $31: 2000
-- $32: 0
-- $33: 1252344.2714243277
-- $34: 6261721.357121638
-- $35: 7514065.628545966
