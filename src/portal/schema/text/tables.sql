-- Plain text, HTML to text, text in the order of people (the collation portal.people).

-- Text in the order of people.
do $collation$
declare
  -- A server without ICU sorts by code points, and folds case where its own library can.
  base text := (select c.collname from pg_catalog.pg_collation c
                 where c.collname in ('und-x-icu', 'C.UTF-8', 'C.utf8', 'C') and c.collnamespace = 'pg_catalog'::regnamespace
                   and c.collencoding in (-1, pg_catalog.pg_char_to_encoding(pg_catalog.getdatabaseencoding()))
                 order by array_position(array['und-x-icu', 'C.UTF-8', 'C.utf8', 'C'], c.collname::text) limit 1);
begin
  execute pg_catalog.format('create collation portal.people from pg_catalog.%I', base);
end
$collation$;
