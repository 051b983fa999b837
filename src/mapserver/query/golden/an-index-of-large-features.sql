-- an index of large features
create index if not exists "survest_size_7_13" on "layers"."fields" using gist ("shape")
  where greatest("public".st_xmax("shape") - "public".st_xmin("shape"), "public".st_ymax("shape") - "public".st_ymin("shape")) >= 8192::double precision
