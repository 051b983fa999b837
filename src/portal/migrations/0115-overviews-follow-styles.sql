-- Which columns the tiles of an overview carry follows from styles: those of the layer, and those that maps have of their own for it. A style that
-- came or changed since is noted here, and the columns are chosen anew; the overview itself stays as it is, for it keeps keys alone.

alter table portal_private.overview add column styled boolean not null default true;
comment on column portal_private.overview.styled is 'False: styles have changed since the columns were chosen.';

create function portal_private.note_overview_styles(target integer) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update portal_private.overview o set styled = false where o.resource_id = target and o.styled;
$$;

create function portal_private.overview_after_style() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.note_overview_styles(l.resource_id) from portal.layer_style l where l.style_id = new.id;
  return null;
end
$$;
create trigger overview after update on portal.style for each row execute function portal_private.overview_after_style();

create function portal_private.overview_after_layer_style() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.note_overview_styles(new.resource_id);
  return null;
end
$$;
create trigger overview after insert on portal.layer_style for each row execute function portal_private.overview_after_layer_style();

-- Of a map's layer, only where it has a style of its own: a column that no style uses any more does no harm.
create function portal_private.overview_after_map_layer() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.note_overview_styles(new.layer_id);
  return null;
end
$$;
create trigger overview after insert or update of layer_id, layer_params on portal.map_layer
  for each row when (new.layer_id is not null and strpos(new.layer_params, '"survest:style"') > 0)
  execute function portal_private.overview_after_map_layer();

-- Overviews that were made before know nothing of maps.
update portal_private.overview set styled = false;

-- For the service: overviews whose columns have to be chosen anew.
create function portal.due_overview_columns(most integer) returns table (resource_id integer)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 10 as $$
begin
  return query select o.resource_id from portal_private.overview o where o.ready and not o.styled order by o.resource_id limit most;
end
$$;

-- Before styles are read: whatever changes from here on makes the columns due again.
create function portal.begin_overview_columns(target integer) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update portal_private.overview o set styled = true where o.resource_id = target;
$$;

-- Tiles with other columns are other tiles: the layer has a new version, of rows that are those of the overview as before.
create function portal.keep_overview_columns(target integer, its_columns text[], its_needed integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  is_current boolean;
begin
  select o.data = portal_private.layer_data(target) into is_current from portal_private.overview o
   where o.resource_id = target and o.ready and (o.columns, o.needed) is distinct from (its_columns, its_needed) for update;
  if not found then
    return;
  end if;
  perform portal_private.note_layer_change(target, 'data');
  update portal_private.overview o
     set columns = its_columns, needed = its_needed,
         data = case when is_current then portal_private.layer_data(target) else o.data end
   where o.resource_id = target;
end
$$;

revoke all on all functions in schema portal_private from public;
revoke all on function
  portal.due_overview_columns(integer), portal.begin_overview_columns(integer), portal.keep_overview_columns(integer, text[], integer)
  from public;
grant execute on function
  portal.due_overview_columns(integer), portal.begin_overview_columns(integer), portal.keep_overview_columns(integer, text[], integer)
  to survest_authenticator;
