-- A shared style changes the look of every layer that uses it.
create or replace function portal_private.guard_style() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.refuse_if(exists (select from portal.layer_style l
              where l.style_id = old.id and portal_private.mask_of(l.resource_id) & 256 = 0),
    'change_layer_style is needed on every layer that uses the style');
  new.last_updated := now();
  return new;
end
$$;

-- Adds a style to a layer; a name that is taken gets another one. Returns its id.
create or replace function portal.add_style(layer integer, name text, sld_body text, sld_title text default null,
  sld_version text default '1.0.0', maplibre jsonb default null, as_default boolean default false) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  space text := (select coalesce(r.workspace, 'portal') from portal.resource r
                  where r.id = layer and r.resource_type = 'layer');
  free_name text := add_style.name;
  made integer;
begin
  perform portal_private.require(portal_private.who(), layer, 256);
  perform portal_private.invalid_if(space is null, 'only layers have styles');
  while exists (select from portal.style s where s.workspace = space and s.name = free_name) loop
    free_name := add_style.name || '_' || substr(md5(random()::text), 1, 4);
  end loop;
  insert into portal.style (name, workspace, sld_title, sld_body, sld_version, maplibre)
    values (free_name, space, add_style.sld_title, add_style.sld_body, add_style.sld_version, add_style.maplibre)
    returning id into made;
  insert into portal.layer_style (resource_id, style_id) values (layer, made);
  if as_default then
    update portal.resource set default_style_id = made, last_updated = now() where id = layer;
  end if;
  return made;
end
$$;

-- Takes a style from a layer. False: it did not have it.
create or replace function portal.remove_style(layer integer, style integer) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.require(portal_private.who(), layer, 256);
  delete from portal.layer_style l where l.resource_id = layer and l.style_id = style;
  if not found then
    return false;
  end if;
  update portal.resource set default_style_id = null where id = layer and default_style_id = style;
  return true;
end
$$;

-- The last layer to let go of a style takes it along. (A layer's map layers go by foreign key.)
create or replace function portal_private.after_style_released() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal.style s
   where s.id = old.style_id and not exists (select from portal.layer_style l where l.style_id = old.style_id);
  return null;
end
$$;

create or replace function portal_private.after_style() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.note_layer_change(l.resource_id, 'look') from portal.layer_style l where l.style_id = new.id;
  return null;
end
$$;

create or replace function portal_private.after_look() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.note_layer_change(coalesce(new.resource_id, old.resource_id), 'look');
  return null;
end
$$;

create or replace function portal_private.after_default_style() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.note_layer_change(new.id, 'look');
  return null;
end
$$;

create or replace function portal_private.style_body(sld_title text, sld_body text, sld_version text, maplibre jsonb) returns jsonb
language sql immutable
return jsonb_build_object('sld_title', sld_title, 'sld_body', sld_body, 'sld_version', sld_version, 'maplibre', maplibre);

grant execute on function
  portal.add_style(integer,text,text,text,text,jsonb,boolean), portal.remove_style(integer,integer)
  to survest_user, survest_admin;
