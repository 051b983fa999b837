-- rows of gml
select ("f"."id")::text, ("public".st_asgml($1::integer, "f"."geom", $2::integer, $3::integer, 'gml', $4::text))::text, ("f"."name")::text, ("f"."people")::text, ("f"."founded")::text
  from "layers"."towns" as f
  order by "f"."id"
-- $1: 3
-- $2: 9
-- $3: 5
-- $4: .
