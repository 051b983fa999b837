-- What the db-pre-config function has set. $1: names, $2: the mark of names it left alone.
select name, pg_catalog.current_setting(name, true) as value
  from unnest($1::text[]) as name
 where pg_catalog.current_setting(name, true) <> $2
 order by 1;
