-- Who sees a new item, said in the request that makes it; whom an item is shared with, in one word; and layers of a map that the caller
-- does not see, of which nothing is told but their number.

-- Permissions of an item, first of all of one that is being made. Who may set them does so. Where new items are moderated owners may
-- not, but what this transaction has made they can keep from others: nothing is given here, only taken away.
create function portal.set_new_perms(target integer, spec jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  if portal_private.mask(who, target) & 32 <> 0 or not exists (
       select from portal.resource r where r.id = target and r.owner_id = who.me and r.xmin = pg_current_xact_id()::xid) then
    perform portal.set_perms(target, spec);
    return;
  end if;
  -- One statement, so that the triggers find the grants complete.
  with wanted as materialized (
    select p.principal, bit_or(p.perms) as perms
      from (select * from portal_private.parse_perms(who, target, spec, 'users')
            union all
            select * from portal_private.parse_perms(who, target, spec, 'groups')) p
     group by p.principal
  ), gone as (
    delete from portal_private.resource_grant g
     where g.resource_id = target and g.principal <> who.me
       and not exists (select from wanted w where w.principal = g.principal and w.perms & g.perms <> 0)
  )
  update portal_private.resource_grant g set perms = g.perms & w.perms
    from wanted w
   where g.resource_id = target and g.principal = w.principal and g.principal <> who.me
     and g.perms & w.perms not in (0, g.perms);
end
$$;

-- `public`: everybody sees it. `shared`: others than its owner do. Null: the caller does not see it.
create function portal.sharing_of(target integer) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select case when r.is_public then 'public'
                    when exists (select from unnest(r.viewers) v where v is distinct from r.owner_id) then 'shared'
                    else 'private' end
          from portal.resource r
         where r.id = target and portal_private.sees(portal_private.who(), target));

-- Layers of a map that the caller does not see: their number, for who sees the map.
create function portal.hidden_layers(map integer) returns integer
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select count(distinct m.layer_id)::integer
          from portal.map_layer m
         where m.map_id = map and m.layer_id is not null
           and portal_private.sees(portal_private.who(), map)
           and not portal_private.sees(portal_private.who(), m.layer_id));

-- The configuration of a map without them. Written back by somebody who does not see them, it does not have them any more.
create function portal.seen_config(map integer, config jsonb) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  hidden text[];
  place text[];
begin
  select array_agg(m.name) into hidden
    from portal.map_layer m
   where m.map_id = map and m.layer_id is not null and not portal_private.sees(who, m.layer_id);
  if hidden is null then
    return config;
  end if;
  -- The configuration is the map, or has it as a member.
  foreach place slice 1 in array array[array['map', 'layers'], array['layers', '']] loop
    place := array_remove(place, '');
    if jsonb_typeof(config #> place) = 'array' then
      config := jsonb_set(config, place, (
        select coalesce(jsonb_agg(l.layer order by l.n), '[]')
          from jsonb_array_elements(config #> place) with ordinality l(layer, n)
         where (l.layer ->> 'name') is null or (l.layer ->> 'name') <> all (hidden)));
    end if;
  end loop;
  return config;
end
$$;

-- In lists of a map's layers they are not there at all, and who replaces the layers of a map leaves them where they are.
create policy layer_seen on portal.map_layer as restrictive for all to survest_anon, survest_user, survest_admin
  using (layer_id is null or exists (select from portal.resource r where r.id = layer_id));

revoke all on function portal.set_new_perms(integer, jsonb), portal.sharing_of(integer), portal.hidden_layers(integer),
  portal.seen_config(integer, jsonb) from public;
grant execute on function portal.sharing_of(integer), portal.hidden_layers(integer), portal.seen_config(integer, jsonb)
  to survest_anon, survest_user, survest_admin;
grant execute on function portal.set_new_perms(integer, jsonb) to survest_user, survest_admin;
