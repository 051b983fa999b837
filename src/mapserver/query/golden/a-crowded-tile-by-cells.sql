-- a crowded tile by cells
select "public".st_asmvt(t, $1::text, $2::integer, $3::text, $4::text)
  from (with chosen as materialized (with p as materialized (select floor(least(greatest("public".st_x(p) / $5::double precision + 0.5, 0), 0.999999999) * $6::double precision)::integer as px, floor(least(greatest(0.5 - "public".st_y(p) / $5::double precision, 0), 0.999999999) * $6::double precision)::integer as py, hk, greatest(w, h / 1) * $7::double precision as size, a * $7::double precision * $7::double precision / 1 as area, w * $7::double precision / 2 as hx, h / 1 * $7::double precision / 2 as hy
  from (select ("public".st_xmin("f"."shape") + "public".st_xmax("f"."shape")) / 2 as cx, ("public".st_ymin("f"."shape") + "public".st_ymax("f"."shape")) / 2 as cy, (lpad(to_hex(hashtext("f"."id"::text)), 8, '0') || "f"."id"::text) collate "C" as hk, "public".st_xmax("f"."shape") - "public".st_xmin("f"."shape") as w, "public".st_ymax("f"."shape") - "public".st_ymin("f"."shape") as h, "public".st_area("f"."shape") as a
  from "layers"."fields" as f
  where "f"."shape" operator("public".&&) "public".st_transform("public".st_segmentize("public".st_makeenvelope($8::double precision, $9::double precision, $10::double precision, $11::double precision, $12::integer), $13::double precision), $14::integer)
  and "f"."shape" is not null) m, lateral (select "public".st_transform("public".st_setsrid("public".st_makepoint(cx, cy), $15::integer), 3857) as p) t
  where cx is not null) select substr(min(hk), 9) as key, count(*)::integer as n, least(sum(area) / ($16::double precision * $16::double precision), 1)::real as cover, min(px - hx) as x1, min(py - hy) as y1, max(px + hx) as x2, max(py + hy) as y2, sum(area) as area
  from p
  where size < $16::double precision group by (px >> $17::integer), (py >> $18::integer)
  union all select substr(hk, 9), 1, null, null, null, null, null, null
  from p
  where size >= $16::double precision), c as materialized (select *
  from chosen) select "public".st_asmvtgeom(case when (c.cover is not null
  and (c.n > 1
  or c.cover < $19::double precision)) then (select "public".st_makeenvelope(((mx - w) * $20::double precision - $21::double precision), ($22::double precision - (my + h) * $23::double precision), ((mx + w) * $24::double precision - $25::double precision), ($26::double precision - (my - h) * $27::double precision), 3857)
  from (select (c.x1 + c.x2) / 2 as mx, (c.y1 + c.y2) / 2 as my, greatest($28::double precision, (c.x2 - c.x1) / 2 * (case when least(c.area / nullif((c.x2 - c.x1) * (c.y2 - c.y1), 0), 1) > $29::double precision then 1 else sqrt(coalesce(least(c.area / nullif((c.x2 - c.x1) * (c.y2 - c.y1), 0), 1), 0)) end)) as w, greatest($28::double precision, (c.y2 - c.y1) / 2 * (case when least(c.area / nullif((c.x2 - c.x1) * (c.y2 - c.y1), 0), 1) > $29::double precision then 1 else sqrt(coalesce(least(c.area / nullif((c.x2 - c.x1) * (c.y2 - c.y1), 0), 1), 0)) end)) as h) e) when c.cover is not null then "public".st_transform("public".st_simplify("f"."shape", $30::double precision, true), 3857) else "public".st_transform("public".st_simplify("f"."shape", $31::double precision, true), 3857) end, "public".st_makeenvelope($32::double precision, $33::double precision, $34::double precision, $35::double precision, $36::integer)::"public".box2d, $37::integer, $38::integer, true) as "geometry", case when c.cover is null
  or c.n = 1 then "f"."id" end as "id", "f"."people" as "people", nullif(c.n, 1) as "point_count"
  from c, lateral (select *
  from "layers"."fields" as f
  where "f"."id" = c.key::integer
  offset 0) f) t
-- $1: fields
-- $2: 4096
-- $3: geometry
-- $4: id
-- $5: 40075016.68557849
-- $6: 268435456
-- $7: 11.650844444444445
-- $8: 4.499999
-- $9: 48.74671801375824
-- $10: 11.42578125
-- $11: 55.500001
-- $12: 4326
-- $13: 0.86572278125
-- $14: 25832
-- $15: 25832
-- $16: 65536
-- $17: 16
-- $18: 16
-- $19: 0.06
-- $20: 0.14929107086948487
-- $21: 20037508.342789244
-- $22: 20037508.342789244
-- $23: 0.14929107086948487
-- $24: 0.14929107086948487
-- $25: 20037508.342789244
-- $26: 20037508.342789244
-- $27: 0.14929107086948487
-- $28: 8192
-- $29: 0.4
-- $30: 175.78125
-- $31: 703.125
-- $32: 0
-- $33: 6261721.357121638
-- $34: 1252344.2714243277
-- $35: 7514065.628545966
-- $36: 3857
-- $37: 4096
-- $38: 64
