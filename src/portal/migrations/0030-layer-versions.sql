-- Versions of layers: what caches of tiles and maps are keyed by. A version is a set of numbers that every change adds one to, in the
-- transaction that makes the change: a reader sees the new version exactly when it sees the new rows. And finding a layer for a
-- caller, which every tile does: one question, answered with the definer's rights after visibility is proved.

-- One row per change that nobody has swept up yet. A single counter would do, but writers of one layer would then wait for
-- each other until they commit.
create table portal_private.layer_change (
  resource_id integer not null references portal.resource on delete cascade,
  -- 'data': rows, pixels; 'look': styles, names of columns
  part text not null check (part in ('data', 'look')),
  -- From a sequence, so that no version ever comes back: not after a rollback, not in a restored database.
  n bigint not null generated always as identity,
  primary key (resource_id, part, n)
);
alter table portal_private.layer_change enable row level security;

-- Adds a number and takes the others away, as far as no other writer is at them. Nothing for an item that is just going.
create function portal_private.note_layer_change(target integer, changed text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  added bigint;
begin
  insert into portal_private.layer_change (resource_id, part)
    select r.id, changed from portal.resource r where r.id = target and r.resource_type = 'layer'
    returning n into added;
  delete from portal_private.layer_change c
   where c.resource_id = target and c.part = changed
     and c.n in (select o.n from portal_private.layer_change o
                  where o.resource_id = target and o.part = changed and o.n < added for update skip locked);
end
$$;

-- On the tables of layers, once per statement.
create function portal.layer_data_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.note_layer_change(tg_argv[0]::integer, 'data');
  return null;
end
$$;

-- Pixels, styles, and what columns are called.
create function portal_private.after_raster() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.note_layer_change(coalesce(new.resource_id, old.resource_id), 'data');
  return null;
end
$$;
create trigger version after insert or update or delete on portal.raster
  for each row execute function portal_private.after_raster();

create function portal_private.after_style() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.note_layer_change(l.resource_id, 'look') from portal.layer_style l where l.style_id = new.id;
  return null;
end
$$;
create trigger version after update on portal.style for each row execute function portal_private.after_style();

create function portal_private.after_look() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.note_layer_change(coalesce(new.resource_id, old.resource_id), 'look');
  return null;
end
$$;
create trigger version after insert or delete on portal.layer_style
  for each row execute function portal_private.after_look();
create trigger version after insert or update or delete on portal.attribute
  for each row execute function portal_private.after_look();

create function portal_private.after_default_style() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.note_layer_change(new.id, 'look');
  return null;
end
$$;
create trigger version after update of default_style_id on portal.resource
  for each row when (old.default_style_id is distinct from new.default_style_id)
  execute function portal_private.after_default_style();

-- What a map service asks before anything else: is there such a layer for the caller, and which state of it. By id, by alternate
-- name, or by name.
--   data, look   change with the rows and with the looks
--   described    changes with whatever else is said of the layer: title, extent, columns
--   own_rules    its table has row rules besides ours: callers may see different rows
--   cacheable    every change of what a caller sees is noted
create function portal.layer_stamp(wanted text)
returns table (id integer, data text, look text, described text, own_rules boolean, cacheable boolean)
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp rows 1 as $$
declare
  item record;
  behind oid;
  kind "char";
  has_children boolean;
begin
  if wanted ~ '^[0-9]{1,9}$' then
    select r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles, r.xmin::text as state into item
      from portal.resource r where r.id = wanted::integer and r.resource_type = 'layer';
  end if;
  if item is null then
    select r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles, r.xmin::text as state into item
      from portal.resource r
     where r.resource_type = 'layer' and r.alternate = case when strpos(wanted, ':') > 0 then wanted else 'portal:' || wanted end;
  end if;
  if item is null then
    select r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles, r.xmin::text as state into item
      from portal.resource r where r.resource_type = 'layer' and r.name = wanted order by r.id limit 1;
  end if;
  if item is null or not portal_private.shown(portal_private.who(), item.id, item.owner_id, item.private_group,
       item.is_public, item.viewers, item.obstacles) then
    return;
  end if;
  id := item.id;
  data := coalesce((select string_agg(c.n::text, '.' order by c.n) from portal_private.layer_change c
                     where c.resource_id = item.id and c.part = 'data'), '0');
  look := coalesce((select string_agg(c.n::text, '.' order by c.n) from portal_private.layer_change c
                     where c.resource_id = item.id and c.part = 'look'), '0');
  own_rules := false;
  cacheable := true;
  select c.oid, c.relkind, c.relhassubclass into behind, kind, has_children
    from portal_private.layer_table t
    join pg_class c on c.relname = t.table_name and c.relnamespace = 'layers'::regnamespace
   where t.resource_id = item.id;
  if behind is not null then
    own_rules := exists (
      select from pg_policy p where p.polrelid = behind
         and p.polname not in ('survest_read', 'survest_insert', 'survest_update', 'survest_delete'));
    -- Changes of a part of a divided table do not pass by the trigger of the whole.
    cacheable := not own_rules and kind = 'r' and not has_children and exists (
      select from pg_trigger g where g.tgrelid = behind and g.tgname = 'survest_version' and g.tgenabled <> 'D');
    item.state := item.state || '/' || coalesce((
      select hashtextextended(string_agg(a.attnum || ' ' || a.xmin::text, ',' order by a.attnum), 0)::text
        from pg_attribute a where a.attrelid = behind and a.attnum > 0), '');
  end if;
  described := item.state;
  return next;
end
$$;

-- The layers of the catalogue that have data behind them, as far as the caller sees them, by name; a page of ids with the total.
create function portal.served_layers(page_size integer, page_start integer)
returns table (id integer, total bigint)
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return query
    with seen as materialized (
      select r.id, r.name from portal.resource r
       where r.resource_type = 'layer'
         and (exists (select from portal_private.layer_table t where t.resource_id = r.id)
              or exists (select from portal.raster p where p.resource_id = r.id))
         and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
    )
    select p.id, (select count(*) from seen)
      from (select s.id, s.name from seen s order by s.name, s.id limit page_size offset page_start) p
     order by p.name, p.id;
end
$$;

revoke all on all functions in schema portal_private from public;
revoke all on function portal.layer_data_changed(), portal.layer_stamp(text), portal.served_layers(integer, integer) from public;
grant execute on function portal.layer_data_changed() to survest_authenticator;
grant execute on function portal.layer_stamp(text), portal.served_layers(integer, integer)
  to survest_anon, survest_user, survest_admin;
