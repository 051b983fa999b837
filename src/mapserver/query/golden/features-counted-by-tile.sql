-- features counted by tile
select floor(least(greatest("public".st_x(p) / $1::double precision + 0.5, 0), 0.999999999) * $2::double precision)::integer, floor(least(greatest(0.5 - "public".st_y(p) / $1::double precision, 0), 0.999999999) * $2::double precision)::integer, case when size > 0 then least(greatest(ceil(log(2, ($3::double precision / size)::numeric)), 0), $4::integer)::integer else $5::integer end, count(*)
  from (select ("public".st_xmin("f"."shape") + "public".st_xmax("f"."shape")) / 2 as cx, ("public".st_ymin("f"."shape") + "public".st_ymax("f"."shape")) / 2 as cy, greatest("public".st_xmax("f"."shape") - "public".st_xmin("f"."shape"), "public".st_ymax("f"."shape") - "public".st_ymin("f"."shape")) as size
  from "layers"."fields" as f
  where "f"."shape" is not null
  and "f"."id" > $6::integer
  and "f"."id" <= $7::integer) m, lateral (select "public".st_transform("public".st_setsrid("public".st_makepoint(cx, cy), $8::integer), 3857) as p) t
  where cx is not null group by 1, 2, 3
-- $1: 40075016.68557849
-- $2: 65536
-- $3: 180000
-- $4: 31
-- $5: 31
-- $6: 5
-- $7: 20005
-- $8: 25832
