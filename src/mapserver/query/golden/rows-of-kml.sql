-- rows of kml
select ("f"."id")::text, ("public".st_askml("f"."geom", 9))::text, ("f"."name")::text, ("f"."people")::text, ("f"."founded")::text
  from "layers"."towns" as f
  order by "f"."id"
