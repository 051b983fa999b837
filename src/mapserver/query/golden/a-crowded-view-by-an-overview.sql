-- a crowded view by an overview
select distinct on (k) *
  from ((with chosen as materialized (with fresh as materialized (select key
  from portal.overview_fresh($1::integer)) select o.key, o.n, o.cover
  from portal.overview_cells($1::integer, $2::integer, $3::integer, $4::integer) o
  where not exists (select
  from fresh
  where fresh.key = o.key)
  union all select fresh.key, 1, null
  from fresh, lateral (select *
  from "layers"."fields" as f
  where "f"."id" = fresh.key::integer
  offset 0) f
  where "f"."shape" operator("public".&&) "public".st_transform("public".st_segmentize("public".st_makeenvelope($5::double precision, $6::double precision, $7::double precision, $8::double precision, $9::integer), $10::double precision), $11::integer)), c as materialized (select *
  from chosen
  limit $12::integer) select case when (c.cover is not null
  and (c.n > 1
  or c.cover < $13::double precision)) then "public".st_astwkb("public".st_snaptogrid("public".st_affine("public".st_force2d(case when (c.cover is not null
  and (c.n > 1
  or c.cover < $14::double precision)) then (select "public".st_expand((case when c.cover > $15::double precision then "public".st_translate("public".st_snaptogrid("public".st_translate(m.p, $16::double precision, $17::double precision), $18::double precision), $19::double precision, $20::double precision) else m.p end), (case when c.cover > $15::double precision then $21::double precision else greatest($22::double precision, $23::double precision * sqrt(c.cover)) end))
  from (select "public".st_transform("public".st_setsrid("public".st_makepoint(("public".st_xmin("f"."shape") + "public".st_xmax("f"."shape")) / 2, ("public".st_ymin("f"."shape") + "public".st_ymax("f"."shape")) / 2), $24::integer), 3857) as p) m) when c.cover is not null then "public".st_transform("public".st_simplify("f"."shape", $25::double precision, true), 3857) else "public".st_transform("public".st_simplify("f"."shape", $26::double precision, true), 3857) end), $27::double precision, 0, 0, $28::double precision, $29::double precision, $30::double precision), 1), 1) else "public".st_astwkb("public".st_affine("public".st_force2d("public".st_transform("public".st_simplify(case when "f"."shape" operator("public".@) "public".st_makeenvelope($31::double precision, $32::double precision, $33::double precision, $34::double precision, $35::integer) then "f"."shape" else "public".st_clipbybox2d("f"."shape", "public".st_makeenvelope($31::double precision, $32::double precision, $33::double precision, $34::double precision, $35::integer)::"public".box2d) end, $36::double precision, true), $37::integer)), $38::double precision, 0, 0, $39::double precision, $40::double precision, $41::double precision), 1) end as shape, "f"."id"::text as k, case when not (c.cover is not null
  and (c.n > 1
  or c.cover < $13::double precision)) then (select "public".st_astwkb("public".st_affine("public".st_force2d("public".st_transform(l.p, $42::integer)), $43::double precision, 0, 0, $44::double precision, $45::double precision, $46::double precision), 1)
  from (select "public".st_pointonsurface("f"."shape") as p) l
  where l.p operator("public".&&) "public".st_makeenvelope($47::double precision, $48::double precision, $49::double precision, $50::double precision, $51::integer)) end as place, "f"."name"::text as "c0", c.n as n
  from c, lateral (select *
  from "layers"."fields" as f
  where "f"."id" = c.key::integer
  and "f"."shape" operator("public".&&) "public".st_makeenvelope($52::double precision, $53::double precision, $54::double precision, $55::double precision, $56::integer)
  offset 0) f
  where (c.cover is null
  or (select floor(least(greatest("public".st_x(p) / $57::double precision + 0.5, 0), 0.999999999) * $58::double precision) = $59::integer
  and floor(least(greatest(0.5 - "public".st_y(p) / $57::double precision, 0), 0.999999999) * $58::double precision) = $60::integer
  from (select ("public".st_xmin("f"."shape") + "public".st_xmax("f"."shape")) / 2 as cx, ("public".st_ymin("f"."shape") + "public".st_ymax("f"."shape")) / 2 as cy) m, lateral (select "public".st_transform("public".st_setsrid("public".st_makepoint(cx, cy), $61::integer), 3857) as p) t)))
  union all select "public".st_astwkb("public".st_affine("public".st_force2d("public".st_transform("public".st_simplify(case when "f"."shape" operator("public".@) "public".st_makeenvelope($62::double precision, $63::double precision, $64::double precision, $65::double precision, $66::integer) then "f"."shape" else "public".st_clipbybox2d("f"."shape", "public".st_makeenvelope($62::double precision, $63::double precision, $64::double precision, $65::double precision, $66::integer)::"public".box2d) end, $67::double precision, true), $68::integer)), $69::double precision, 0, 0, $70::double precision, $71::double precision, $72::double precision), 1) as shape, "f"."id"::text as k, (select "public".st_astwkb("public".st_affine("public".st_force2d("public".st_transform(l.p, $73::integer)), $74::double precision, 0, 0, $75::double precision, $76::double precision, $77::double precision), 1)
  from (select "public".st_pointonsurface("f"."shape") as p) l
  where l.p operator("public".&&) "public".st_makeenvelope($78::double precision, $79::double precision, $80::double precision, $81::double precision, $82::integer)) as place, "f"."name"::text as "c0", 1 as n
  from ((select "f"."id", "f"."shape", "f"."name"
  from "layers"."fields" as f
  where "f"."shape" operator("public".&&) "public".st_makeenvelope($83::double precision, $84::double precision, $85::double precision, $86::double precision, $87::integer)
  and ("f"."shape" operator("public".&&) "public".st_transform("public".st_segmentize("public".st_makeenvelope($88::double precision, $89::double precision, $90::double precision, $91::double precision, $92::integer), $93::double precision), $94::integer))
  and not ("public".st_xmax("f"."shape") - "public".st_xmin("f"."shape") < $95::double precision
  and "public".st_ymax("f"."shape") - "public".st_ymin("f"."shape") < $96::double precision)
  order by hashtext("f"."id"::text)
  limit $97::integer)
  union all (select *
  from (select distinct on (floor("public".st_xmin("f"."shape") / $95::double precision), floor("public".st_ymin("f"."shape") / $96::double precision)) "f"."id", "f"."shape", "f"."name"
  from "layers"."fields" as f
  where "f"."shape" operator("public".&&) "public".st_makeenvelope($83::double precision, $84::double precision, $85::double precision, $86::double precision, $87::integer)
  and ("f"."shape" operator("public".&&) "public".st_transform("public".st_segmentize("public".st_makeenvelope($88::double precision, $89::double precision, $90::double precision, $91::double precision, $92::integer), $93::double precision), $94::integer))
  and ("public".st_xmax("f"."shape") - "public".st_xmin("f"."shape") < $95::double precision
  and "public".st_ymax("f"."shape") - "public".st_ymin("f"."shape") < $96::double precision)
  order by floor("public".st_xmin("f"."shape") / $95::double precision), floor("public".st_ymin("f"."shape") / $96::double precision), "f"."id") f
  order by hashtext("f"."id"::text)
  limit $97::integer)) f) r
  order by k
-- $1: 7
-- $2: 5
-- $3: 16
-- $4: 10
-- $5: 4.499999
-- $6: 48.74671801375824
-- $7: 11.42578125
-- $8: 55.500001
-- $9: 4326
-- $10: 0.86572278125
-- $11: 25832
-- $12: 150000
-- $13: 0.06
-- $14: 0.06
-- $15: 0.4
-- $16: -4891.96981025128
-- $17: -4891.96981025128
-- $18: 9783.93962050256
-- $19: 4891.96981025128
-- $20: 4891.96981025128
-- $21: 4891.96981025128
-- $22: 1222.99245256282
-- $23: 4891.96981025128
-- $24: 25832
-- $25: 175.78125
-- $26: 703.125
-- $27: 0.0004599373874298753
-- $28: -0.0003606162029367682
-- $29: -255.9997700313063
-- $30: 2654.808163449294
-- $31: 248000
-- $32: 5155000
-- $33: 952000
-- $34: 6145000
-- $35: 25832
-- $36: 312.5
-- $37: 3857
-- $38: 0.0004599373874298753
-- $39: -0.0003606162029367682
-- $40: -255.9997700313063
-- $41: 2654.808163449294
-- $42: 3857
-- $43: 0.0004599373874298753
-- $44: -0.0003606162029367682
-- $45: -255.9997700313063
-- $46: 2654.808163449294
-- $47: 248000
-- $48: 5155000
-- $49: 952000
-- $50: 6145000
-- $51: 25832
-- $52: 260800
-- $53: 5173000
-- $54: 939200
-- $55: 6127000
-- $56: 25832
-- $57: 40075016.68557849
-- $58: 32
-- $59: 16
-- $60: 10
-- $61: 25832
-- $62: 248000
-- $63: 5155000
-- $64: 952000
-- $65: 6145000
-- $66: 25832
-- $67: 312.5
-- $68: 3857
-- $69: 0.0004599373874298753
-- $70: -0.0003606162029367682
-- $71: -255.9997700313063
-- $72: 2654.808163449294
-- $73: 3857
-- $74: 0.0004599373874298753
-- $75: -0.0003606162029367682
-- $76: -255.9997700313063
-- $77: 2654.808163449294
-- $78: 248000
-- $79: 5155000
-- $80: 952000
-- $81: 6145000
-- $82: 25832
-- $83: 280000
-- $84: 5200000
-- $85: 920000
-- $86: 6100000
-- $87: 25832
-- $88: 11.074218749999993
-- $89: 48.74671801375824
-- $90: 15.500001
-- $91: 55.500001
-- $92: 4326
-- $93: 0.8441603732802196
-- $94: 25832
-- $95: 1250
-- $96: 1757.8125
-- $97: 60000
