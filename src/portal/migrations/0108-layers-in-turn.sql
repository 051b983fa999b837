-- The layers that map services offer, in turn: documents that name all of them read on behind the last one. By number of those to leave out
-- each page would look at all layers again, and ten thousand of them took half a minute.

create index resource_layer_name on portal.resource ((coalesce(name, '')), id) where resource_type = 'layer' and not is_tabular;

create function portal.layers_after(after_name text, after_id integer, page_size integer)
returns table (id integer, name text)
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return query
    select r.id, coalesce(r.name, '') from portal.resource r
     where r.resource_type = 'layer' and not r.is_tabular
       and (coalesce(r.name, ''), r.id) > (after_name, after_id)
       -- Not `exists`: of a table that is asked so often the planner makes a hash, of all its rows and for every page.
       and coalesce((select true from portal_private.layer_table t where t.resource_id = r.id),
                    (select true from portal.raster p where p.resource_id = r.id))
       and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
     order by coalesce(r.name, ''), r.id limit page_size;
end
$$;

revoke all on function portal.layers_after(text, integer, integer) from public;
grant execute on function portal.layers_after(text, integer, integer) to survest_anon, survest_user, survest_admin;
