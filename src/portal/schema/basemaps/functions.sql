-- For the program itself, which names their sites in every page and draws pictures of them.
create or replace function portal.all_basemaps(most integer) returns setof jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp rows 10
begin atomic
  select jsonb_build_object('id', b.id) || (b.definition - 'bytes') from portal.basemap b
   where b.definition ->> 'off' is distinct from 'true' order by b.added, b.id limit most;
end;

grant execute on function
  portal.all_basemaps(integer)
  to survest_authenticator;
