-- Which relations the caller may know of: tables of layers that the caller does not see in the catalogue do not exist for them in the REST
-- service either. With `required` the first hidden one is raised, by its place in the list, before anything else is said about it.

create function portal.visible_relations(relations regclass[], required boolean) returns regclass[]
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  hidden bigint[];
begin
  hidden := array(
    select asked.place
      from unnest(relations) with ordinality asked (relation, place)
      join pg_class c on c.oid = asked.relation
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'layers'
      join portal_private.layer_table t on t.table_name = c.relname
     where not portal.may(t.resource_id, 'view_resourcebase')
     order by asked.place);
  if required and hidden <> '{}' then
    raise exception 'the relation is hidden' using errcode = 'SV205', detail = hidden[1]::text;
  end if;
  return array(
    select asked.relation
      from unnest(relations) with ordinality asked (relation, place)
     where asked.place <> all (hidden));
end
$$;
revoke all on function portal.visible_relations(regclass[], boolean) from public;
grant execute on function portal.visible_relations(regclass[], boolean) to survest_anon, survest_user, survest_admin;
