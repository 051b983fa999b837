-- a crowded view
select "public".st_astwkb("public".st_affine("public".st_force2d("public".st_transform("public".st_simplify(case when "f"."shape" operator("public".@) "public".st_makeenvelope($1::double precision, $2::double precision, $3::double precision, $4::double precision, $5::integer) then "f"."shape" else "public".st_clipbybox2d("f"."shape", "public".st_makeenvelope($1::double precision, $2::double precision, $3::double precision, $4::double precision, $5::integer)::"public".box2d) end, $6::double precision, true), $7::integer)), $8::double precision, 0, 0, $9::double precision, $10::double precision, $11::double precision), 1) as shape, "f"."id"::text as k, "f"."name"::text as "c0"
  from ((select "f"."id", "f"."shape", "f"."name"
  from "layers"."fields" as f tablesample system ($12::real) repeatable (1)
  where "f"."shape" operator("public".&&) "public".st_makeenvelope($13::double precision, $14::double precision, $15::double precision, $16::double precision, $17::integer)
  and not ("public".st_xmax("f"."shape") - "public".st_xmin("f"."shape") < $18::double precision
  and "public".st_ymax("f"."shape") - "public".st_ymin("f"."shape") < $19::double precision)
  order by hashtext("f"."id"::text)
  limit $20::integer)
  union all (select *
  from (select distinct on (floor("public".st_xmin("f"."shape") / $18::double precision), floor("public".st_ymin("f"."shape") / $19::double precision)) "f"."id", "f"."shape", "f"."name"
  from "layers"."fields" as f tablesample system ($12::real) repeatable (1)
  where "f"."shape" operator("public".&&) "public".st_makeenvelope($13::double precision, $14::double precision, $15::double precision, $16::double precision, $17::integer)
  and ("public".st_xmax("f"."shape") - "public".st_xmin("f"."shape") < $18::double precision
  and "public".st_ymax("f"."shape") - "public".st_ymin("f"."shape") < $19::double precision)
  order by floor("public".st_xmin("f"."shape") / $18::double precision), floor("public".st_ymin("f"."shape") / $19::double precision), "f"."id") f
  order by hashtext("f"."id"::text)
  limit $20::integer)) f
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
-- $12: 50.000000
-- $13: 280000
-- $14: 5200000
-- $15: 920000
-- $16: 6100000
-- $17: 25832
-- $18: 1250
-- $19: 1757.8125
-- $20: 60000
