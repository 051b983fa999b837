-- Names that `Prefer: timezone=` may give.
select json_agg(name) from pg_timezone_names
