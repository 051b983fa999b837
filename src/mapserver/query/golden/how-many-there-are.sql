-- how many there are
select count(*)
  from "layers"."towns" as f
