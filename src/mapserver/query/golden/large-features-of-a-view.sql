-- large features of a view
select "public".st_astwkb("public".st_affine("public".st_force2d("public".st_transform("public".st_simplify(case when "f"."shape" operator("public".@) "public".st_makeenvelope($1::double precision, $2::double precision, $3::double precision, $4::double precision, $5::integer) then "f"."shape" else "public".st_clipbybox2d("f"."shape", "public".st_makeenvelope($1::double precision, $2::double precision, $3::double precision, $4::double precision, $5::integer)::"public".box2d) end, $6::double precision, true), $7::integer)), $8::double precision, 0, 0, $9::double precision, $10::double precision, $11::double precision), 1) as shape, "f"."id"::text as k, (select "public".st_astwkb("public".st_affine("public".st_force2d("public".st_transform(l.p, $12::integer)), $13::double precision, 0, 0, $14::double precision, $15::double precision, $16::double precision), 1)
  from (select "public".st_pointonsurface("f"."shape") as p) l
  where l.p operator("public".&&) "public".st_makeenvelope($17::double precision, $18::double precision, $19::double precision, $20::double precision, $21::integer)) as place, "f"."name"::text as "c0"
  from (select "f"."id", "f"."shape", "f"."name"
  from "layers"."fields" as f
  where "f"."shape" operator("public".&&) "public".st_makeenvelope($22::double precision, $23::double precision, $24::double precision, $25::double precision, $26::integer)
  and greatest("public".st_xmax("f"."shape") - "public".st_xmin("f"."shape"), "public".st_ymax("f"."shape") - "public".st_ymin("f"."shape")) >= 2048::double precision
  and greatest("public".st_xmax("f"."shape") - "public".st_xmin("f"."shape"), "public".st_ymax("f"."shape") - "public".st_ymin("f"."shape")) >= $27::double precision
  and (hashtext("f"."id"::text) & 65535) < $28::integer
  order by "f"."id"
  limit $29::integer) f
-- $1: 248000
-- $2: 5155000
-- $3: 952000
-- $4: 6145000
-- $5: 25832
-- $6: 312.5
-- $7: 3857
-- $8: 0.0004599373874298753
-- $9: -0.0003606162029367682
-- $10: -255.9997700313063
-- $11: 2654.808163449294
-- $12: 3857
-- $13: 0.0004599373874298753
-- $14: -0.0003606162029367682
-- $15: -255.9997700313063
-- $16: 2654.808163449294
-- $17: 248000
-- $18: 5155000
-- $19: 952000
-- $20: 6145000
-- $21: 25832
-- $22: 280000
-- $23: 5200000
-- $24: 920000
-- $25: 6100000
-- $26: 25832
-- $27: 5625
-- $28: 16384
-- $29: 150001
