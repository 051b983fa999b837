-- a file of csv
copy (select "f"."id", "f"."name", "f"."people", "f"."founded", "public".st_astext("f"."geom", 9) as "wkt"
  from "layers"."towns" as f
  where "f"."id" = '5'
  order by "f"."id") to stdout (format csv, header)
