create or replace function portal_private.want_thumbnail(target integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.thumbnail_due (resource_id)
    select r.id from portal.resource r where r.id = target and r.resource_type in ('layer', 'map', 'document');
  perform pg_notify('survest_thumbnails', '');
end
$$;

-- A layer's rows, pixels or looks: the layer, and the maps it is in.
create or replace function portal_private.thumbnail_after_layer() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.want_thumbnail(new.resource_id);
  perform portal_private.want_thumbnail(m.map_id) from (
    select distinct l.map_id from portal.map_layer l where l.layer_id = new.resource_id) m;
  return null;
end
$$;

create or replace function portal_private.thumbnail_after_map_layer() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.want_thumbnail(coalesce(new.map_id, old.map_id));
  return null;
end
$$;

create or replace function portal_private.thumbnail_after_place() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.want_thumbnail(new.id);
  return null;
end
$$;

-- Others see it now, or no longer: pictures of maps on which it stands go in the same transaction, and so does its own if it is a map.
create or replace function portal_private.thumbnail_after_audience() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.resource_type = 'map' then
    delete from portal.thumbnail t where t.resource_id = new.id and not t.curated;
    perform portal_private.want_thumbnail(new.id);
  else
    delete from portal.thumbnail t
     where not t.curated and t.resource_id in (select l.map_id from portal.map_layer l where l.layer_id = new.id);
    perform portal_private.want_thumbnail(m.map_id) from (
      select distinct l.map_id from portal.map_layer l where l.layer_id = new.id) m;
  end if;
  return null;
end
$$;

-- Another file: what is shown of the one before goes with it.
create or replace function portal_private.thumbnail_after_file() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    delete from portal.thumbnail t where t.resource_id = new.resource_id and not t.curated;
  end if;
  perform portal_private.want_thumbnail(new.resource_id);
  return null;
end
$$;

-- For the service: items to draw, the longest waiting first, with the number of their last change.
create or replace function portal.due_thumbnails(most integer) returns table (resource_id integer, n bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp rows 10 as $$
  select d.resource_id, max(d.n) from portal_private.thumbnail_due d
    group by d.resource_id order by min(d.n) limit most
$$;

-- Drawn, as of that change.
create or replace function portal.thumbnail_drawn(target integer, up_to bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from portal_private.thumbnail_due d where d.resource_id = target and d.n <= up_to
$$;

-- The layers of a map that everybody who sees the map sees too, from the bottom up.
create or replace function portal.thumbnail_layers(map integer)
returns table (layer_id integer, opacity double precision, styles text)
language sql stable security definer set search_path = pg_catalog, pg_temp rows 10 as $$
  select l.layer_id, l.opacity, l.styles
    from portal.map_layer l
    join portal.resource m on m.id = l.map_id
    join portal.resource r on r.id = l.layer_id
   where l.map_id = map and l.visibility and r.obstacles & ~m.obstacles = 0
     and (r.is_public or (not m.is_public and m.viewers <@ r.viewers))
   order by l.stack_order, l.id
$$;

grant execute on function
  portal.due_thumbnails(integer), portal.thumbnail_drawn(integer,bigint), portal.thumbnail_layers(integer)
  to survest_authenticator;
